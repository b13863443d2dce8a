// What the driver's door answers and takes, as far as the app reads and writes it.
import type { CalendarDay, TimeWindow } from "../kit/times";

export interface Coordinates { latitude: number; longitude: number }
export interface Fix extends Coordinates { accuracyMeters?: number }
export interface Address { address1: string; address2: string; city: string; provinceCode: string; countryCode: string; zip: string }
export interface Contact { firstName: string; lastName: string; company: string; phone: string; email: string }
export interface Attachment { id: string; createdAt: string; url: string }
export interface TaskItem { id: string; title: string; completed: boolean }
export interface Task {
  id: string; title: string; type: string; items: TaskItem[]; input?: { value: string };
  requiredToMarkStopAsDelivered: boolean; requiredToMarkStopAsAttempted: boolean;
}

export interface Stop {
  id: string; type: string; deliveryStatus: string; breakStatus: string; duration?: string; plannedArrival?: string; updatedArrival?: string;
  arrivedAt?: string; note: string; address?: Address; contact?: Contact; plannedCoordinates: Coordinates;
  items: { name: string; quantity: number; sku: string }[]; orderName: string; clientStopId: string; timeWindows: TimeWindow[]; deliveryDate?: CalendarDay; tasks: Task[];
  locked?: boolean; recipientName?: string; leftWith?: string; proofOfDeliveryNote: string; proofOfDeliveryPhotos: Attachment[];
  proofOfDeliverySignatures: Attachment[]; proofOfDeliveryBarcodes: { value: string }[]; attemptedReason: string; attemptedNote: string;
  customSignatureDisclosure?: string; storeOrder?: { orderNote: string; customerNote: string; address?: Route["start"]["address"] }; customerNote?: { note: string; at: string };
}

export interface RouteEnd {
  address?: Address; coordinates?: Coordinates; status: string; plannedArrival?: string; updatedArrival?: string; updatedStart?: string; tasks: Task[];
}

export interface Route {
  id: string; name: string; note: string; start: RouteEnd; end?: RouteEnd; stops: Stop[]; scheduledFor?: string;
  completedAt?: string; archivedAt?: string; dispatchedUntil?: string; totalDistanceMeters: number; path?: string;
}

export interface RouteSummary {
  id: string; name: string; stopCount: number; scheduledFor?: string; claimable: boolean; started: boolean; completed: boolean;
}

export type ProofRule = "REQUIRED" | "WARN" | "OFFERED" | "OFF";
export type ProofKind = "photo" | "signature" | "barcode" | "note" | "recipientName";

export interface Organization {
  id: string; name: string; timezone?: string; failureReasons?: string[]; proofRules?: Partial<Record<ProofKind, ProofRule>>;
  shareDriverPosition?: "NEVER" | "NEXT_STOP";
}

export interface Driver { id: string; firstName: string; lastName: string }

// One entry of the journal, but for its number and its time, which the store gives.
export interface Deed {
  kind: string; routeId: string; stopId?: string; stopIds?: string[]; note?: string; reason?: string; recipientName?: string; leftWith?: string;
  uploadId?: string; place?: string; taskId?: string; itemId?: string; completed?: boolean; value?: string; inputMethod?: string; position?: Fix;
}

export interface Action extends Deed { id: string; sequence: number; at: string }

export interface Result {
  id: string; outcome: "APPLIED" | "KEPT" | "REFUSED"; reason: string; message: string; fieldViolations?: { field: string; description: string }[];
}

export interface UploadState { size: number; received: number; complete: boolean }
