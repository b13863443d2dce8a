import type {
  IAuthenticateGeneric, ICredentialDataDecryptedObject, ICredentialTestRequest, ICredentialType, IHttpRequestHelper, INodeProperties,
} from "n8n-workflow";

/** Client credentials: n8n exchanges them for a token, keeps it, and asks for another after a 401. */
export class RoundsmanApi implements ICredentialType {
  name = "roundsmanApi";
  displayName = "Roundsman API";
  properties: INodeProperties[] = [
    { displayName: "Address", name: "url", type: "string", default: "", required: true, placeholder: "https://plan.example.com" },
    { displayName: "Client ID", name: "clientId", type: "string", default: "", required: true },
    { displayName: "Client Secret", name: "clientSecret", type: "string", typeOptions: { password: true }, default: "", required: true },
    {
      displayName: "Webhook Secret", name: "webhookSecret", type: "string", typeOptions: { password: true }, default: "",
      description: "The organization's, for the trigger: it refuses what is not signed with it. The test of the credentials cannot try it: send a test event to the webhook at Roundsman once the workflow is active",
    },
    { displayName: "Access Token", name: "accessToken", type: "hidden", typeOptions: { expirable: true, password: true }, default: "" },
  ];

  async preAuthentication(this: IHttpRequestHelper, credentials: ICredentialDataDecryptedObject) {
    const answer = (await this.helpers.httpRequest({
      method: "POST",
      url: `${String(credentials.url).replace(/(\/api\/2024-07)?\/*$/, "")}/api/2024-07/authenticate`,
      body: { clientId: credentials.clientId, clientSecret: credentials.clientSecret },
      json: true,
    })) as { accessToken: string };
    return { accessToken: answer.accessToken };
  }

  authenticate: IAuthenticateGeneric = {
    type: "generic",
    properties: { headers: { Authorization: "=Bearer {{$credentials.accessToken}}" } },
  };

  test: ICredentialTestRequest = {
    request: { baseURL: '={{$credentials.url.replace(/(\\/api\\/2024-07)?\\/*$/, "")}}', url: "/api/2024-07/organization" },
  };
}
