// Google's encoded polyline format, of five decimals.
const FIRST = 63, MORE = 0x20, SCALE = 1e5;

/** Return latitude and longitude of each point. */
export function decodePolyline(text: string): { latitude: number; longitude: number }[] {
  const points = [];
  let at = 0;
  const number = () => {
    let bits = 0, shift = 0, group;
    do { group = text.charCodeAt(at++) - FIRST; bits |= (group & (MORE - 1)) << shift; shift += 5; } while (group & MORE);
    return bits & 1 ? ~(bits >> 1) : bits >> 1;
  };
  for (let latitude = 0, longitude = 0; at < text.length;) {
    latitude += number(); longitude += number();
    points.push({ latitude: latitude / SCALE, longitude: longitude / SCALE });
  }
  return points;
}
