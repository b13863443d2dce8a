const { defineConfig } = require("@medusajs/framework/utils");
const anywhere = "http://127.0.0.1";
module.exports = defineConfig({
  projectConfig: {
    databaseUrl: process.env.DATABASE_URL,
    http: { storeCors: anywhere, adminCors: anywhere, authCors: anywhere, jwtSecret: "for tests", cookieSecret: "for tests" },
  },
  admin: { disable: true },
});
