// Drawings of the reports. Widths are shares of the place there is, so that letters keep their size;
// the same figures stand in the tables.
import { daysLater } from "../kit/times";
import { locale, t } from "../kit/words";
import { nameOfBucket, sayNumber, sayShare, TARGET_SHARE, type ArrivalBucket, type DaySummary } from "./summaries";

const percent = (share: number) => `${(share * 100).toFixed(2)}%`;

const ROW = 46;
const BAR = 14;
const BAR_TOP = 22;

// A bar a bucket: as wide as all windows that were promised, filled as far as they held.
export function WindowsChart({ buckets, label }: { buckets: ArrivalBucket[]; label: string }) {
  const bottom = buckets.length * ROW;
  return (
    <svg class="chart" role="img" aria-label={label} width="100%" height={bottom + 22}>
      {buckets.map((one, index) => (
        <g key={one.stopsAhead}>
          <text x="0" y={index * ROW + 16}>{nameOfBucket(one.stopsAhead)}</text>
          <text x="100%" y={index * ROW + 16} text-anchor="end" class="soft">
            {one.share === undefined ? t("noWindowYet") : `${sayShare(one.share)} · ${t("shown", { count: sayNumber(one.held), all: sayNumber(one.count) })}`}
          </text>
          <rect class="promised" x="0" y={index * ROW + BAR_TOP} width="100%" height={BAR} rx="3" />
          {!!one.share && <rect class={one.share < TARGET_SHARE ? "below" : "held"} x="0" y={index * ROW + BAR_TOP} width={percent(one.share)} height={BAR} rx="3" />}
          <line class="target" x1={percent(TARGET_SHARE)} x2={percent(TARGET_SHARE)} y1={index * ROW + BAR_TOP - 1} y2={index * ROW + BAR_TOP + BAR + 5} />
        </g>
      ))}
      <text x="0" y={bottom + 14} class="soft">{sayShare(0)}</text>
      <text x={percent(TARGET_SHARE)} y={bottom + 14} text-anchor="end">{t("targetOf", { share: sayShare(TARGET_SHARE) })}</text>
    </svg>
  );
}

const HEIGHT = 110;
const TOP = 20;

// A column a day of the period, days without routes included: delivered below, failed on top.
export function DaysChart({ days, from, count, label }: { days: DaySummary[]; from: string; count: number; label: string }) {
  const found = new Map(days.map((one) => [one.date, one]));
  const all = Array.from({ length: count }, (_, index) => daysLater(from, index));
  const most = Math.max(1, ...days.map((one) => one.delivered + one.attempted));
  const heightOf = (stops: number) => (stops / most) * HEIGHT;
  return (
    <figure class="chart-holder">
      <svg class="chart" role="img" aria-label={label} width="100%" height={TOP + HEIGHT + 22}>
        <text x="0" y="12" class="soft">{t("stopCount", { count: most })}</text>
        <line class="axis" x1="0" x2="100%" y1={TOP} y2={TOP} />
        {all.map((date, index) => {
          const one = found.get(date);
          const [delivered, failed] = [heightOf(one?.delivered ?? 0), heightOf(one?.attempted ?? 0)];
          const place = { x: percent((index + 0.15) / count), width: percent(0.7 / count) };
          return one && (
            <g key={date}>
              <title>{`${shortDay(date)}: ${t("delivered")} ${sayNumber(one.delivered)}, ${t("couldNotDeliver")} ${sayNumber(one.attempted)}`}</title>
              <rect class="held" {...place} y={TOP + HEIGHT - delivered} height={delivered} />
              <rect class="failed" {...place} y={TOP + HEIGHT - delivered - failed} height={failed} />
            </g>
          );
        })}
        <line class="axis" x1="0" x2="100%" y1={TOP + HEIGHT} y2={TOP + HEIGHT} />
        <text x="0" y={TOP + HEIGHT + 16} class="soft">{shortDay(all[0]!)}</text>
        {count > 1 && <text x="100%" y={TOP + HEIGHT + 16} text-anchor="end" class="soft">{shortDay(all[count - 1]!)}</text>}
      </svg>
      <figcaption class="legend" aria-hidden="true"><span class="held">{t("delivered")}</span><span class="failed">{t("couldNotDeliver")}</span></figcaption>
    </figure>
  );
}

function shortDay(date: string): string {
  return new Intl.DateTimeFormat(locale.value, { timeZone: "UTC", day: "numeric", month: "short" }).format(Date.parse(`${date}T12:00:00Z`));
}
