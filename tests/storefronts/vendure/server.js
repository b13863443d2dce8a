const { bootstrap, dummyPaymentHandler, DefaultJobQueuePlugin } = require("@vendure/core");
bootstrap({
  apiOptions: { port: Number(process.env.PORT), hostname: "127.0.0.1" },
  authOptions: { tokenMethod: ["bearer", "cookie", "api-key"], superadminCredentials: { identifier: "superadmin", password: "superadmin" }, requireVerification: false },
  dbConnectionOptions: { type: "better-sqlite3", database: process.env.DATABASE, synchronize: true },
  paymentOptions: { paymentMethodHandlers: [dummyPaymentHandler] },
  customFields: { Order: [{ name: "deliveryDate", type: "string", nullable: true, public: true }, { name: "deliveryWindow", type: "string", nullable: true, public: true },
    // What the connection may write; RoundsmanDriver is left out, as in a shop that does not want it.
    ...["Route", "StopNumber", "Arrival", "Status", "TrackingUrl"].map((name) => ({ name: `roundsman${name}`, type: "string", nullable: true, public: false }))] },
  plugins: [DefaultJobQueuePlugin.init({})],
}).then(() => console.log("READY"), (error) => { console.error(error); process.exit(1); });
