<?php
// The main job through a client that OpenAPI Generator generated for PHP.
declare(strict_types=1);

use Roundsman\Api\AuthenticationApi;
use Roundsman\Api\EventsApi;
use Roundsman\Api\ImportedStopsApi;
use Roundsman\Api\RoutesApi;
use Roundsman\Api\RouteStopsApi;
use Roundsman\Api\WebhooksApi;
use Roundsman\ApiException;
use Roundsman\Configuration;
use Roundsman\Model\AddStopBodyInput;
use Roundsman\Model\AuthenticateBodyInput;
use Roundsman\Model\CoordinatesInput;
use Roundsman\Model\Error;
use Roundsman\Model\ErrorDetail;
use Roundsman\Model\FieldViolation;
use Roundsman\Model\ImportedStop;
use Roundsman\Model\RouteDraftInput;
use Roundsman\Model\RouteEndDraftInput;
use Roundsman\Model\StopDraftInput;
use Roundsman\Model\TopicInput;
use Roundsman\Model\WebhookSubscriptionDraftInput;

require __DIR__ . '/autoload.php';

function key_(): string
{
    return bin2hex(random_bytes(16));
}

/** Take one request from a socket, answer it, and return its headers and its body. */
function take($listening): array
{
    $connection = stream_socket_accept($listening, 30);
    if ($connection === false) {
        throw new RuntimeException('no webhook came');
    }
    fgets($connection);
    $headers = [];
    while (($line = rtrim((string) fgets($connection))) !== '') {
        [$name, $value] = explode(':', $line, 2);
        $headers[strtolower($name)] = trim($value);
    }
    $body = stream_get_contents($connection, (int) $headers['content-length']);
    fwrite($connection, "HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n");
    fclose($connection);
    return [$headers, $body];
}

/** Standard Webhooks: HMAC-SHA256 over id, time and body; one of the signatures must be ours. */
function isFromRoundsman(array $headers, string $body, string $secret): bool
{
    $message = "{$headers['webhook-id']}.{$headers['webhook-timestamp']}.{$body}";
    $ours = 'v1,' . base64_encode(hash_hmac('sha256', $message, base64_decode($secret), true));
    foreach (explode(' ', $headers['webhook-signature']) as $theirs) {
        if (hash_equals($ours, $theirs)) {
            return true;
        }
    }
    return false;
}

$configuration = (new Configuration())->setHost(getenv('ROUNDSMAN_URL') . '/api/2024-07');
$token = (new AuthenticationApi(null, $configuration))->authenticate(new AuthenticateBodyInput([
    'client_id' => getenv('ROUNDSMAN_CLIENT_ID'),
    'client_secret' => getenv('ROUNDSMAN_CLIENT_SECRET'),
]));
$configuration->setAccessToken($token->getAccessToken());
$routes = new RoutesApi(null, $configuration);

$listening = stream_socket_server('tcp://127.0.0.1:0');
(new WebhooksApi(null, $configuration))->addWebhook(new WebhookSubscriptionDraftInput([
    'url' => 'http://' . stream_socket_get_name($listening, false) . '/in',
    'topics' => [TopicInput::ROUTE_DISPATCHED],
]), key_());

$stops = array_map(fn (int $number) => new StopDraftInput([
    'client_stop_id' => "order-$number",
    'coordinates' => new CoordinatesInput(['latitude' => 39.25 + $number * 7 % 20 / 100, 'longitude' => -76.61]),
]), range(0, 19));
$key = key_();
$importing = new ImportedStopsApi(null, $configuration);
$imported = $importing->importStops($stops, idempotency_key: $key);
// The same key again: an answer that was lost is asked for, and books nothing twice.
$again = $importing->importStops($stops, idempotency_key: $key);

$start = new RouteEndDraftInput(['coordinates' => new CoordinatesInput(['latitude' => 39.24, 'longitude' => -76.61])]);
$route = $routes->createRoute(new RouteDraftInput(['name' => 'Van 1', 'start' => $start]), key_());
$chosen = array_map(
    fn (ImportedStop $stop) => new AddStopBodyInput(['imported_stop_id' => $stop->getId()]),
    $imported->getStops(),
);
(new RouteStopsApi(null, $configuration))->addRouteStops($route->getId(), $chosen, key_());
$best = $routes->reoptimizeRoute($route->getId(), key_());
$routes->dispatchRoute($route->getId(), key_());

[$headers, $body] = take($listening);
if (!isFromRoundsman($headers, $body, getenv('ROUNDSMAN_WEBHOOK_SECRET'))) {
    throw new RuntimeException("the signature is not the service's");
}
$event = json_decode($body, flags: JSON_THROW_ON_ERROR);

$events = 0;
$cursor = null;
do {
    $page = (new EventsApi(null, $configuration))->listEvents(query_limit: 10, cursor: $cursor);
    $events += count($page->getEvents());
    $cursor = $page->getNextCursor();
} while ($cursor !== '');

$refused = null;
try {
    $routes->createRoute(new RouteDraftInput(['start' => new RouteEndDraftInput()]));
} catch (ApiException $error) {
    $refused = $error->getResponseObject();
}
if (!$refused instanceof Error) {
    throw new RuntimeException('not refused');
}
$violations = array_merge(...array_map(
    fn (ErrorDetail $detail) => $detail->getFieldViolations() ?? [],
    $refused->getDetails() ?? [],
));
echo json_encode([
    'imported' => count($imported->getStops()),
    'replayed' => $again->getStops()[0]->getId() === $imported->getStops()[0]->getId(),
    'optimized' => $best->getOptimized(),
    'first' => $best->getStops()[0]->getClientStopId(),
    'webhook' => $event->topic,
    'ofRoute' => $event->objectId === $route->getId(),
    'events' => $events,
    'refused' => $refused->getCode(),
    'fields' => array_map(fn (FieldViolation $violation) => $violation->getField(), $violations),
]), "\n";
