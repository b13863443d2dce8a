// Which streets this server has, and how it gets others.
import { useEffect, useState } from "preact/hooks";
import { lookForStreets, type Streets } from "../kit/streets";
import { locale, t } from "../kit/words";
import { report } from "./day";

export function MapTab() {
  const [streets, setStreets] = useState<Streets | null | undefined>(undefined);
  useEffect(() => { lookForStreets().then(setStreets, report); }, []);
  if (streets === undefined) return <p aria-live="polite">{t("loading")}</p>;
  return (
    <>
      <p>{streets ? t("mapThere", { area: sayArea(streets.bounds) }) : t("mapMissing")}</p>
      {streets && <p class="soft">{streets.attribution}</p>}
      <p class="soft">{t("mapHow")}</p>
      <pre>roundsman map import EXTRACT.osm.pbf{"\n"}roundsman map tiles FILE.pmtiles</pre>
    </>
  );
}

function sayArea([west, south, east, north]: Streets["bounds"]): string {
  const degrees = new Intl.NumberFormat(locale.value, { maximumFractionDigits: 2 });
  return `${degrees.format(south)}, ${degrees.format(west)} – ${degrees.format(north)}, ${degrees.format(east)}`;
}
