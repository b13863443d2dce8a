import {
  NodeApiError, type IDataObject, type IExecuteFunctions, type IHookFunctions, type IHttpRequestMethods, type IHttpRequestOptions,
} from "n8n-workflow";

export const CREDENTIALS = "roundsmanApi";

export interface Call {
  method: IHttpRequestMethods;
  path: string;
  body?: IDataObject | IDataObject[];
  query?: IDataObject;
  key?: string;
  /** Of a piece of a list: where it begins, so that a refusal names rows of the whole list. */
  first?: number;
}

/** Ask the service; a refusal is an error of the node that names every wrong field, or every reason. */
export async function ask(context: IExecuteFunctions | IHookFunctions, call: Call, itemIndex?: number): Promise<IDataObject> {
  const { url } = await context.getCredentials(CREDENTIALS);
  const options: IHttpRequestOptions = {
    method: call.method,
    url: `${String(url).replace(/(\/api\/2024-07)?\/*$/, "")}/api/2024-07${call.path}`,
    qs: call.query,
    body: call.body,
    headers: call.key ? { "Idempotency-Key": call.key } : {},
    json: true,
  };
  try {
    return (await context.helpers.httpRequestWithAuthentication.call(context, CREDENTIALS, options)) as IDataObject;
  } catch (error) {
    const { message, details } = refusalOf(error as NodeApiError);
    if (!message) throw error;
    const whole = (text: string) => text.replace(INDEX, (_, index: string) => `[${Number(index) + (call.first ?? 0)}]`);
    const said = details.map(({ field, description }) => whole(field ? `${field}: ${description}` : description));
    const description = said.join("; ") || undefined;
    // Another error around n8n's own would be that one unchanged, which says no more than the status.
    const httpCode = (error as NodeApiError).httpCode ?? undefined;
    throw Object.assign(new NodeApiError(context.getNode(), { message: whole(message) }, { message: whole(message), description, httpCode, itemIndex }), { details });
  }
}

/** Of a row of a request, in the name of a field or in words about it; not of a list in a row. */
const INDEX = /(?<![\w\]])\[(\d+)\](?=\.|:|$| has the same)/g;

interface Detail { field?: string; type?: string; description: string }

interface Refusal {
  message?: string;
  details?: { fieldViolations?: Detail[]; violations?: Detail[] }[];
}

function refusalOf(failure: NodeApiError): { message?: string; details: Detail[] } {
  const refusal = failure.context.data as Refusal | undefined;
  const details = (refusal?.details ?? []).flatMap(({ fieldViolations, violations }) => [...(fieldViolations ?? []), ...(violations ?? [])]);
  return { message: refusal?.message, details };
}

/** Whether a refusal says this of everything that it names. */
export function isRefusedFor(error: unknown, type: string): boolean {
  const { details } = error as { details?: Detail[] };
  return details !== undefined && details.length > 0 && details.every((one) => one.type === type);
}

/** Which row of a list a refusal names first, if it names one. */
export function firstRowOf(error: unknown): number | undefined {
  const { details } = error as { details?: Detail[] };
  const found = details?.map(({ field }) => /^\[(\d+)\]/.exec(field ?? "")?.[1]).find((one) => one !== undefined);
  return found === undefined ? undefined : Number(found);
}
