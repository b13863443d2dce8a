// The main job through a client that OpenAPI Generator generated for Go.
package main

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strings"
	"time"

	"golang.org/x/oauth2"
	"golang.org/x/oauth2/clientcredentials"

	"roundsman"
)

type delivery struct {
	header http.Header
	body   []byte
}

// Every call answers the object, the response, and an error that has the refusal's body inside.
func must[Answer any](answer Answer, _ *http.Response, err error) Answer {
	if err != nil {
		var refusal *roundsman.GenericOpenAPIError
		if errors.As(err, &refusal) {
			log.Fatalf("%v: %s", err, refusal.Body())
		}
		log.Fatal(err)
	}
	return answer
}

func key() string {
	random := make([]byte, 16)
	if _, err := rand.Read(random); err != nil {
		log.Fatal(err)
	}
	return hex.EncodeToString(random)
}

func receive() (string, <-chan delivery) {
	arrived := make(chan delivery, 1)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go http.Serve(listener, http.HandlerFunc(func(answer http.ResponseWriter, request *http.Request) {
		body, err := io.ReadAll(request.Body)
		if err != nil {
			return
		}
		answer.WriteHeader(http.StatusNoContent)
		arrived <- delivery{request.Header, body}
	}))
	return fmt.Sprintf("http://%s/in", listener.Addr()), arrived
}

// Standard Webhooks: HMAC-SHA256 over id, time and body; one of the signatures must be ours.
func verify(secret string, one delivery) bool {
	decoded, err := base64.StdEncoding.DecodeString(secret)
	if err != nil {
		log.Fatal(err)
	}
	mac := hmac.New(sha256.New, decoded)
	fmt.Fprintf(mac, "%s.%s.%s", one.header.Get("webhook-id"), one.header.Get("webhook-timestamp"), one.body)
	ours := []byte("v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil)))
	for _, theirs := range strings.Fields(one.header.Get("webhook-signature")) {
		if hmac.Equal(ours, []byte(theirs)) {
			return true
		}
	}
	return false
}

func main() {
	server := os.Getenv("ROUNDSMAN_URL") + "/api/2024-07"
	configuration := roundsman.NewConfiguration()
	configuration.Servers = roundsman.ServerConfigurations{{URL: server}}
	client := roundsman.NewAPIClient(configuration)
	credentials := clientcredentials.Config{
		ClientID:     os.Getenv("ROUNDSMAN_CLIENT_ID"),
		ClientSecret: os.Getenv("ROUNDSMAN_CLIENT_SECRET"),
		TokenURL:     server + "/oauth/token",
	}
	background := context.Background()
	ctx := context.WithValue(background, roundsman.ContextOAuth2, oauth2.TokenSource(credentials.TokenSource(background)))

	address, arrived := receive()
	subscription := roundsman.NewWebhookSubscriptionDraftInput(address, []roundsman.TopicInput{roundsman.TOPICINPUT_ROUTE_DISPATCHED})
	must(client.WebhooksAPI.AddWebhook(ctx).WebhookSubscriptionDraftInput(*subscription).IdempotencyKey(key()).Execute())

	stops := make([]roundsman.StopDraftInput, 20)
	for number := range stops {
		stops[number].SetClientStopId(fmt.Sprintf("order-%d", number))
		stops[number].SetCoordinates(*roundsman.NewCoordinatesInput(39.25+float64(number*7%20)/100, -76.61))
	}
	batch := client.ImportedStopsAPI.ImportStops(ctx).StopDraftInput(stops).IdempotencyKey(key())
	imported := must(batch.Execute())
	// The same key again: an answer that was lost is asked for, and books nothing twice.
	again := must(batch.Execute())

	start := roundsman.NewRouteEndDraftInput()
	start.SetCoordinates(*roundsman.NewCoordinatesInput(39.24, -76.61))
	draft := roundsman.NewRouteDraftInput(*start)
	draft.SetName("Van 1")
	route := must(client.RoutesAPI.CreateRoute(ctx).RouteDraftInput(*draft).IdempotencyKey(key()).Execute())
	chosen := make([]roundsman.AddStopBodyInput, len(imported.Stops))
	for number, stop := range imported.Stops {
		chosen[number].SetImportedStopId(stop.Id)
	}
	must(client.RouteStopsAPI.AddRouteStops(ctx, route.Id).AddStopBodyInput(chosen).IdempotencyKey(key()).Execute())
	// A body that is left out would be sent as null, which is refused.
	best := must(client.RoutesAPI.ReoptimizeRoute(ctx, route.Id).ReoptimizeBodyInput(*roundsman.NewReoptimizeBodyInput()).IdempotencyKey(key()).Execute())
	must(client.RoutesAPI.DispatchRoute(ctx, route.Id).DispatchBodyInput(*roundsman.NewDispatchBodyInput()).IdempotencyKey(key()).Execute())

	var event roundsman.WebhookEvent
	select {
	case one := <-arrived:
		if !verify(os.Getenv("ROUNDSMAN_WEBHOOK_SECRET"), one) {
			log.Fatal("the signature is not the service's")
		}
		if err := json.Unmarshal(one.body, &event); err != nil {
			log.Fatal(err)
		}
	case <-time.After(30 * time.Second):
		log.Fatal("no webhook came")
	}

	events, cursor := 0, ""
	for {
		page := client.EventsAPI.ListEvents(ctx).QueryLimit(10)
		if cursor != "" {
			page = page.Cursor(cursor)
		}
		answer := must(page.Execute())
		events += len(answer.Events)
		if cursor = answer.NextCursor; cursor == "" {
			break
		}
	}

	_, _, err := client.RoutesAPI.CreateRoute(ctx).RouteDraftInput(*roundsman.NewRouteDraftInput(*roundsman.NewRouteEndDraftInput())).Execute()
	var refusal *roundsman.GenericOpenAPIError
	if !errors.As(err, &refusal) {
		log.Fatal("not refused")
	}
	refused, isError := refusal.Model().(roundsman.Error)
	if !isError {
		log.Fatalf("another refusal: %s", refusal.Body())
	}
	var fields []string
	for _, detail := range refused.Details {
		for _, violation := range detail.FieldViolations {
			fields = append(fields, violation.Field)
		}
	}
	json.NewEncoder(os.Stdout).Encode(map[string]any{
		"imported":  len(imported.Stops),
		"replayed":  again.Stops[0].Id == imported.Stops[0].Id,
		"optimized": best.Optimized,
		"first":     best.Stops[0].ClientStopId,
		"webhook":   event.Topic,
		"ofRoute":   event.ObjectId == route.Id,
		"events":    events,
		"refused":   refused.Code,
		"fields":    fields,
	})
}
