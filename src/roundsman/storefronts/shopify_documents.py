"""The GraphQL documents that Shopify is asked with, of one version of its admin interface.

A query may cost 1,000 points; an object costs one, and a list grows with the logarithm of its
length (measured), so one order is asked about whole and a page of orders is not.
"""

VERSION = "2026-10"

_ORDER = """
id legacyResourceId name note tags updatedAt cancelledAt test email phone displayFinancialStatus
customAttributes { key value } customer { note tags }
shippingAddress { firstName lastName company address1 address2 city provinceCode countryCodeV2 zip
  phone latitude longitude coordinatesValidated }
"""
_FULFILLMENTS = """
fulfillments(first: 100) { id status trackingInfo { number } events(first: 50) {
  nodes { status happenedAt } }
  fulfillmentLineItems(first: 250) { nodes { quantity lineItem { sku title } } } }
"""


def _left_to_deliver(orders: int, lines: int) -> str:
    """Return what asks for so many fulfilment orders of an order, one for each location."""
    return (
        f"fulfillmentOrders(first: {orders}) {{ pageInfo {{ hasNextPage }} nodes {{ id status"
        "  assignedLocation { name } deliveryMethod { methodType presentedName minDeliveryDateTime"
        "  maxDeliveryDateTime additionalInformation { instructions } }"
        f"  lineItems(first: {lines}) {{ pageInfo {{ hasNextPage }} nodes {{ id totalQuantity"
        "  remainingQuantity sku productTitle weight { unit value } } } } }"
    )


def _get(fields: str) -> str:
    return f"query($ids: [ID!]!) {{ nodes(ids: $ids) {{ ... on Order {{ {fields} }} }} }}"


_ON_A_PAGE = _ORDER + _left_to_deliver(3, 30)
_WHOLE = _ORDER + _left_to_deliver(20, 250)

LIST_ORDERS = (
    "query($query: String, $first: Int!, $after: String) {"
    "  orders(first: $first, after: $after, query: $query, sortKey: UPDATED_AT) {"
    f"  nodes {{ {_ON_A_PAGE} }} pageInfo {{ hasNextPage endCursor }} }} }}"
)
GET_ORDERS = _get(_ON_A_PAGE)
GET_WHOLE_ORDER = _get(_WHOLE)
GET_ORDER_TO_REPORT = _get(_WHOLE + _FULFILLMENTS)
CREATE_FULFILLMENT = """mutation($fulfillment: FulfillmentInput!) {
  fulfillmentCreate(fulfillment: $fulfillment) {
    fulfillment { id status } userErrors { field message } } }"""
UPDATE_TRACKING = """mutation($id: ID!, $tracking: FulfillmentTrackingInput!, $notify: Boolean) {
  fulfillmentTrackingInfoUpdate(fulfillmentId: $id, trackingInfoInput: $tracking,
    notifyCustomer: $notify) { fulfillment { id } userErrors { field message } } }"""
CREATE_EVENT = """mutation($event: FulfillmentEventInput!) {
  fulfillmentEventCreate(fulfillmentEvent: $event) { fulfillmentEvent { id }
    userErrors { field message } } }"""
LIST_SUBSCRIPTIONS = "query { webhookSubscriptions(first: 50) { nodes { id topic uri } } }"
CREATE_SUBSCRIPTION = """mutation($topic: WebhookSubscriptionTopic!, $uri: String!) {
  webhookSubscriptionCreate(topic: $topic, webhookSubscription: { uri: $uri }) {
    webhookSubscription { id } userErrors { field message } } }"""
SET_FIELDS = """mutation($fields: [MetafieldsSetInput!]!) {
  metafieldsSet(metafields: $fields) { metafields { id } userErrors { field message } } }"""
ADD_TAGS = """mutation($id: ID!, $tags: [String!]!) {
  tagsAdd(id: $id, tags: $tags) { node { id } userErrors { field message } } }"""
REMOVE_TAGS = """mutation($id: ID!, $tags: [String!]!) {
  tagsRemove(id: $id, tags: $tags) { node { id } userErrors { field message } } }"""
LIST_SCOPES = "query { currentAppInstallation { accessScopes { handle } } }"

DOCUMENTS = (
    LIST_ORDERS,
    GET_ORDERS,
    GET_WHOLE_ORDER,
    GET_ORDER_TO_REPORT,
    CREATE_FULFILLMENT,
    UPDATE_TRACKING,
    CREATE_EVENT,
    LIST_SUBSCRIPTIONS,
    CREATE_SUBSCRIPTION,
    SET_FIELDS,
    ADD_TAGS,
    REMOVE_TAGS,
    LIST_SCOPES,
)
"""All that is ever asked; tests hold them against the platform's schema."""
