// Addresses behind the #, by which a page knows its screen.

// A part of an address that may be anything, as it was before it was made fit for one.
export function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part; // it was typed by hand
  }
}
