// What the server says of its streets.
export interface Streets {
  version: string;
  bounds: [number, number, number, number]; // west, south, east, north
  minZoom: number;
  maxZoom: number;
  attribution: string;
}
