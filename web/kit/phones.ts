// A phone number as people write it, in the form the service takes: +1 (410) 555-0123 is +14105550123.
export const phoneOf = (written: string) => written.replace(/[\s().\/-]/g, "").replace(/^00/, "+");
