import {
  NodeApiError, type IDataObject, type IExecuteFunctions, type IHookFunctions, type IHttpRequestMethods, type IHttpRequestOptions,
  type JsonObject,
} from "n8n-workflow";

export const CREDENTIALS = "roundsmanApi";

export interface Call {
  method: IHttpRequestMethods;
  path: string;
  body?: IDataObject | IDataObject[];
  query?: IDataObject;
  key?: string;
}

/** Ask the service; a refusal is an error of the node that names every wrong field. */
export async function ask(context: IExecuteFunctions | IHookFunctions, call: Call, itemIndex?: number): Promise<IDataObject> {
  const { url } = await context.getCredentials(CREDENTIALS);
  const options: IHttpRequestOptions = {
    method: call.method,
    url: `${String(url).replace(/\/+$/, "")}/api/2024-07${call.path}`,
    qs: call.query,
    body: call.body,
    headers: call.key ? { "Idempotency-Key": call.key } : {},
    json: true,
  };
  try {
    return (await context.helpers.httpRequestWithAuthentication.call(context, CREDENTIALS, options)) as IDataObject;
  } catch (error) {
    const { message, description } = refusalOf(error as Failure);
    throw new NodeApiError(context.getNode(), error as JsonObject, { message, description, itemIndex });
  }
}

interface Failure {
  response?: { data?: Refusal };
  context?: { data?: Refusal };
}

interface Refusal {
  message?: string;
  details?: { fieldViolations?: { field: string; description: string }[] }[];
}

function refusalOf(failure: Failure): { message?: string; description?: string } {
  const refusal = failure.response?.data ?? failure.context?.data;
  const violations = (refusal?.details ?? []).flatMap(({ fieldViolations }) => fieldViolations ?? []);
  return {
    message: refusal?.message,
    description: violations.map(({ field, description }) => `${field}: ${description}`).join("; ") || undefined,
  };
}
