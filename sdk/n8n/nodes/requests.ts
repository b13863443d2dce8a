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
}

/** Ask the service; a refusal is an error of the node that names every wrong field. */
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
    const { message, description } = refusalOf(error as NodeApiError);
    if (!message) throw error;
    // Another error around n8n's own would be that one unchanged, which says no more than the status.
    const httpCode = (error as NodeApiError).httpCode ?? undefined;
    throw new NodeApiError(context.getNode(), { message }, { message, description, httpCode, itemIndex });
  }
}

interface Refusal {
  message?: string;
  details?: { fieldViolations?: { field: string; description: string }[] }[];
}

function refusalOf(failure: NodeApiError): { message?: string; description?: string } {
  const refusal = failure.context.data as Refusal | undefined;
  const violations = (refusal?.details ?? []).flatMap(({ fieldViolations }) => fieldViolations ?? []);
  return {
    message: refusal?.message,
    description: violations.map(({ field, description }) => `${field}: ${description}`).join("; ") || undefined,
  };
}
