// What is wrong or doubtful, or went wrong, said in the planner's language by its type.
import type { TimeWindow } from "../kit/times";
import { locale, sayWindow, t } from "../kit/words";

export interface IssueValues {
  value?: string; readAs?: string; windows?: TimeWindow[]; choices?: string[]; least?: number; most?: number; row?: number; column?: string; distanceMeters?: number; detail?: string;
}

export interface Issue { type?: string; values?: IssueValues }

const WORDS = {
  SPREADSHEET_ERROR: "foundSpreadsheetError", FORMULA_WITHOUT_RESULT: "foundFormula", TOO_LONG: "foundTooLong", NOT_A_NUMBER: "foundNoNumber",
  NOT_A_WHOLE_NUMBER: "foundNoWholeNumber", NOT_COUNTABLE: "foundNotCountable", NOT_DEGREES: "foundNoDegrees", NOT_COORDINATES: "foundNoCoordinates",
  OUT_OF_RANGE: "foundOutOfRange", WEIGHT_WITHOUT_UNIT: "foundNoWeightUnit", UNKNOWN_WEIGHT_UNIT: "foundUnknownUnit", TOO_HEAVY: "foundTooHeavy",
  NOT_A_DURATION: "foundNoDuration", DURATION_TOO_LONG: "foundLongDuration", NOT_A_DATE: "foundNoDate", DATE_OUT_OF_RANGE: "foundDateOutOfRange", ANOTHER_DAY: "foundAnotherDay",
  NOT_A_TIME: "foundNoTime", NOT_A_TIME_WINDOW: "foundNoWindow", NOT_A_PHONE_NUMBER: "foundNoPhone", NOT_AN_EMAIL: "foundNoEmail",
  UNKNOWN_STOP_TYPE: "foundUnknownType", BREAK_OF_A_ROUTE: "foundBreak", NOT_JSON: "foundNoJson", TWO_ADDRESSES: "foundTwoAddresses",
  OTHER_COORDINATE_MISSING: "foundOtherMissing", OUT_OF_BOUNDS: "foundOutOfBounds", COLUMN_OF_PLANS: "foundForPlans", COLUMN_LIKE_LOAD: "foundLikeLoad",
  TOO_MANY_CELLS: "foundManyCells", TOO_MANY_ORDER_LINES: "foundManyLines", ORDER_LEFT_OUT: "foundOrderLeftOut", REPEATED_ID: "sameInRow",
  LOCATION_REQUIRED: "foundNoLocation", ADDRESS_NOT_FOUND: "foundNowhere", ADDRESS_AMBIGUOUS: "foundAmbiguous", CITY_REQUIRED: "foundCityRequired",
  CITY_LOOKS_LIKE_STREET: "foundCityIsStreet", UNKNOWN_CITY: "foundUnknownCity", UNKNOWN_ZIP: "foundUnknownZip", UNKNOWN_PROVINCE: "foundUnknownProvince",
  UNKNOWN_COUNTRY: "foundUnknownCountry", ZIP_IS_ELSEWHERE: "foundZipElsewhere", NOT_ON_MAP: "foundOffMap", NO_MAP: "foundNoMap", MATCH_TOO_COARSE: "foundTooCoarse",
  COORDINATES_ZERO: "foundZero", COORDINATES_SWAPPED: "foundSwapped", FAR_FROM_OTHERS: "foundFar", FAR_FROM_ADDRESS: "foundFarFromAddress",
  SINGLE_TIME: "foundSingleTime", READ_AS_AFTERNOON: "foundAfternoon", SPANS_MIDNIGHT: "foundMidnight", NO_LENGTH: "foundNoLength",
  NO_ANSWER_IN_TIME: "sentNoAnswer", URL_NOT_ALLOWED: "sentBadUrl", ADDRESS_NOT_ALLOWED: "sentBadAddress", HOST_UNKNOWN: "sentUnknownHost", HOST_UNREACHABLE: "sentUnreachable",
  CONNECTION_REFUSED: "sentRefused", CONNECTION_BROKEN: "sentBroken", CERTIFICATE_NOT_TRUSTED: "sentBadCertificate", NOT_ENCRYPTED: "sentNoTls", NOT_HTTP: "sentNoHttp",
  SENDER_STOPPED: "sentStopped",
} as const;

// Of types that may name what was meant, and then say more.
const WITH_CHOICES = { ADDRESS_AMBIGUOUS: "foundAmbiguousAny", UNKNOWN_CITY: "foundUnknownCityMeant" } as const;

const isIn = <Known extends object>(known: Known, type: string): type is Extract<keyof Known, string> => Object.hasOwn(known, type);

const sayKilometers = (meters: number) => new Intl.NumberFormat(locale.value, { style: "unit", unit: "kilometer", maximumFractionDigits: 0 }).format(meters / 1000);

function said({ windows, choices, least, most, distanceMeters, ...values }: IssueValues, type: string): Record<string, string | number> {
  const plain = type === "DATE_OUT_OF_RANGE"; // a year has no thousands
  const sayNumber = (number: number) => (plain ? String(number) : new Intl.NumberFormat(locale.value).format(number));
  return {
    ...values,
    ...(windows ? { readAs: windows.map(sayWindow).join(", ") } : {}),
    ...(choices ? { choices: new Intl.ListFormat(locale.value, { type: "disjunction" }).format(choices) } : {}),
    ...(least === undefined ? {} : { least: sayNumber(least) }),
    ...(most === undefined ? {} : { most: sayNumber(most) }),
    ...(distanceMeters === undefined ? {} : { distance: sayKilometers(distanceMeters) }),
  };
}

// What the server says, in English, stands for a type that has no words here.
export function sayIssue({ type = "", values = {} }: Issue, sentence: string): string {
  if (values.choices?.length && isIn(WITH_CHOICES, type)) return t(WITH_CHOICES[type], said(values, type));
  return isIn(WORDS, type) ? t(WORDS[type], said(values, type)) : sentence;
}
