// Runs the examples of the README beside it; what they leave to the reader stands on globalThis.
const [url, clientId, clientSecret, secret] = process.argv.slice(2);
const timestamp = String(Math.floor(Date.now() / 1000));
const rawBody = new TextEncoder().encode('{"topic": "ROUTE_DISPATCHED", "objectId": "rte-1"}');
const key = await crypto.subtle.importKey("raw", Buffer.from(secret, "base64"), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
const signed = Buffer.concat([Buffer.from(`evt-1.${timestamp}.`), rawBody]);
const signature = Buffer.from(await crypto.subtle.sign("HMAC", key, signed)).toString("base64");
const headers = { "webhook-id": "evt-1", "webhook-timestamp": timestamp, "webhook-signature": `v1,${signature}` };
const stops = [1, 2, 3].map((number) => ({
  orderName: `#${number}`, coordinates: { latitude: 39.28 + number / 100, longitude: -76.61 },
}));
Object.assign(globalThis, {
  url, clientId, clientSecret, secret, nextSecret: "b3RoZXI=", rawBody, stops, request: new Request("https://shop.example.com", { headers }),
});
for (const number of [0, 1]) await import(`./example_${number}.mjs`);
