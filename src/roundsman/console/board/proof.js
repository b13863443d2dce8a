// What a planner wants to know of a stop beyond its times: what the driver is to heed there, and what
// they left as proof.
import { make } from "./elements.js";
import { isDone } from "./words.js";

// A file of the service opens in a tab of its own, which learns nothing of this one.
function linkTo({ url }, name, index, all) {
  const words = all.length > 1 ? `${name} ${index + 1}` : name;
  return /^https?:\/\//.test(url) ? make("a", { href: url, target: "_blank", rel: "noopener noreferrer" }, words) : words;
}

function files(found, one, many) {
  if (!found.length) return "";
  const names = found.map((file, index) => [" ", linkTo(file, `open ${one}`, index, found)]);
  return make("span", {}, `${found.length} ${found.length === 1 ? one : many}:`, ...names.flat());
}

function proofOf(stop) {
  if (!isDone(stop)) return [];
  const notes = [stop.attemptedNote, stop.proofOfDeliveryNote].filter(Boolean);
  return [
    ...notes.map((note) => make("span", {}, `Driver\u2019s note: ${note}`)),
    files(stop.proofOfDeliveryPhotos, "photo", "photos"),
    files(stop.proofOfDeliverySignatures, "signature", "signatures"),
  ].filter(Boolean);
}

// The lines below a stop in the list, or nothing.
export function showProof(stop) {
  const lines = [stop.note ? make("span", {}, `Note: ${stop.note}`) : "", ...proofOf(stop)].filter(Boolean);
  return lines.length ? make("div", { class: "proof" }, ...lines) : "";
}
