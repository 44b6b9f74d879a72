import { settleCommission } from '#shared/affiliates/jobs.ts'
import { verifyAuditLogs } from '#shared/audit/jobs.ts'
import { purgeCarts } from '#shared/cart/jobs.ts'
import { importProducts } from '#shared/catalog/import/jobs.ts'
import { enqueuePriceChanges, repriceProducts } from '#shared/catalog/jobs.ts'
import { rerenderPages } from '#shared/content-pages/jobs.ts'
import { importCustomers } from '#shared/customers/import/jobs.ts'
import { forwardStaffReset, purgeAccountRecords, sendPasswordReset } from '#shared/identity/jobs.ts'
import { processImage, removeImageFiles } from '#shared/images/jobs.ts'
import { discardUnfinishedUpload, purgeImportNotes } from '#shared/imports/jobs.ts'
import { sendMail, sendPlatformMail } from '#shared/mail/jobs.ts'
import { mailOrderEvent } from '#shared/order-mails/jobs.ts'
import { releaseHold } from '#shared/orders/jobs.ts'
import {
  applyNotification,
  cancelPayment,
  chargeSavedCard,
  closePayments,
  detachCard,
  enqueueDueOrders,
  expireOrder,
  importGatewayHistory,
  openCardSetup,
  openPayment,
  readMissedNotifications,
  readPayment,
  recoverPayments,
  returnSurplus,
  saveCard,
  saveMissedNotification,
  settleCardSetup,
} from '#shared/payments/jobs.ts'
import { publishEvents } from '#shared/platform/events/events.ts'
import { eraseResponses } from '#shared/platform/idempotency/erase-responses.ts'
import { purgeIdempotencyKeys } from '#shared/platform/idempotency/purge-idempotency-keys.ts'
import type { AnyJobDefinition } from '#shared/platform/jobs/define-job.ts'
import { purgeRateLimits } from '#shared/platform/throttle/purge-rate-limits.ts'
import {
  comparePayments,
  findSuspectPayments,
  reconcileStore,
  reconcileStores,
} from '#shared/reconciliation/jobs.ts'
import { recoverRefunds, sendRefund } from '#shared/refunds/jobs.ts'
import { readRemoteCatalog } from '#shared/remote-catalog/jobs.ts'
import { rollUpReports } from '#shared/reports/jobs.ts'
import { settleReturns, settleReturnsOfCanceledOrder } from '#shared/returns/jobs.ts'
import { purgeDeletedStores, purgePublishableKeys, purgeStore, verifyDomain } from '#shared/stores/jobs.ts'
import { mailSubscriptionEvent } from '#shared/subscription-mails/jobs.ts'
import {
  announcePrices,
  chargeSubscription,
  enqueueDueCharges,
  enqueueDueReminders,
  remindSubscriber,
  settleCharges,
  stopDisputedSubscriptions,
} from '#shared/subscriptions/jobs.ts'
import { enqueueSupportReports, reportSupportChanges, rollUpFigures } from '#shared/super-admin/jobs.ts'
import { deleteOldVisits, purgeVisitorSalts } from '#shared/visits/jobs.ts'
import { settleShortfall } from '#shared/vouchers/jobs.ts'
import {
  deliverSlowWebhook,
  deliverWebhook,
  failDeliveries,
  purgeDeliveries,
  recoverDeliveries,
} from '#shared/webhooks/jobs.ts'

/** Every kind of job. The migrations create its queue; workers/handlers.ts lists its handler. */
export const allJobs: readonly AnyJobDefinition[] = [
  publishEvents,
  sendMail,
  sendPlatformMail,
  forwardStaffReset,
  sendPasswordReset,
  purgeAccountRecords,
  purgeCarts,
  purgeImportNotes,
  rerenderPages,
  processImage,
  removeImageFiles,
  releaseHold,
  openPayment,
  chargeSavedCard,
  saveCard,
  openCardSetup,
  settleCardSetup,
  detachCard,
  cancelPayment,
  closePayments,
  enqueueDueOrders,
  expireOrder,
  readPayment,
  importGatewayHistory,
  returnSurplus,
  recoverPayments,
  readMissedNotifications,
  saveMissedNotification,
  applyNotification,
  importProducts,
  importCustomers,
  repriceProducts,
  enqueuePriceChanges,
  discardUnfinishedUpload,
  readRemoteCatalog,
  sendRefund,
  recoverRefunds,
  settleReturns,
  settleReturnsOfCanceledOrder,
  chargeSubscription,
  settleCharges,
  stopDisputedSubscriptions,
  enqueueDueCharges,
  announcePrices,
  remindSubscriber,
  enqueueDueReminders,
  mailOrderEvent,
  mailSubscriptionEvent,
  deliverWebhook,
  deliverSlowWebhook,
  failDeliveries,
  recoverDeliveries,
  purgeDeliveries,
  eraseResponses,
  purgeIdempotencyKeys,
  purgeRateLimits,
  verifyDomain,
  purgeStore,
  purgeDeletedStores,
  purgePublishableKeys,
  rollUpFigures,
  enqueueSupportReports,
  reportSupportChanges,
  verifyAuditLogs,
  reconcileStores,
  reconcileStore,
  findSuspectPayments,
  comparePayments,
  rollUpReports,
  deleteOldVisits,
  purgeVisitorSalts,
  settleCommission,
  settleShortfall,
]
