// What the build makes of files that are no code.
declare module "*.css";
declare module "*?url" {
  const address: string;
  export default address;
}
