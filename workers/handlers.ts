import type { WorkerRole } from '#shared/platform/config/environment.ts'
import { settleCommission } from '#workers/affiliates/settle-commission.ts'
import { verifyAuditLogs } from '#workers/audit/verify-audit-logs.ts'
import { purgeCarts } from '#workers/cart/purge-carts.ts'
import { enqueuePriceChanges } from '#workers/catalog/enqueue-price-changes.ts'
import { importProducts } from '#workers/catalog/import-products.ts'
import { repriceProducts } from '#workers/catalog/reprice-products.ts'
import { rerenderPages } from '#workers/content-pages/rerender-pages.ts'
import { importCustomers } from '#workers/customers/import-customers.ts'
import { publishEvents } from '#workers/events/publish-events.ts'
import { eraseResponses } from '#workers/idempotency/erase-responses.ts'
import { purgeIdempotencyKeys } from '#workers/idempotency/purge-idempotency-keys.ts'
import { forwardStaffReset } from '#workers/identity/forward-staff-reset.ts'
import { purgeAccountRecords } from '#workers/identity/purge-account-records.ts'
import { sendPasswordReset } from '#workers/identity/send-password-reset.ts'
import { processImage } from '#workers/images/process-image.ts'
import { removeImageFiles } from '#workers/images/remove-image-files.ts'
import { discardUnfinishedUpload } from '#workers/imports/discard-unfinished-upload.ts'
import { purgeImportNotes } from '#workers/imports/purge-import-notes.ts'
import { sendMail, sendPlatformMail } from '#workers/mail/send-mail.ts'
import { mailOrderEvent } from '#workers/order-mails/mail-order-event.ts'
import { releaseHold } from '#workers/orders/release-hold.ts'
import { openCardSetup } from '#workers/payments/card-setups/open-card-setup.ts'
import { settleCardSetup } from '#workers/payments/card-setups/settle-card-setup.ts'
import { cancelPayment } from '#workers/payments/close/cancel-payment.ts'
import { closePayments } from '#workers/payments/close/close-payments.ts'
import { enqueueDueOrders } from '#workers/payments/close/enqueue-due-orders.ts'
import { expireOrder } from '#workers/payments/close/expire-order.ts'
import { importGatewayHistory } from '#workers/payments/import-gateway-history.ts'
import { applyNotification } from '#workers/payments/notifications/apply-notification.ts'
import { readMissedNotifications } from '#workers/payments/notifications/read-missed-notifications.ts'
import { saveMissedNotification } from '#workers/payments/notifications/save-missed-notification.ts'
import { chargeSavedCard } from '#workers/payments/open/charge-saved-card.ts'
import { openPayment } from '#workers/payments/open/open-payment.ts'
import { recoverPayments } from '#workers/payments/recover-payments.ts'
import { returnSurplus } from '#workers/payments/return-surplus.ts'
import { detachCard } from '#workers/payments/saved-cards/detach-card.ts'
import { saveCard } from '#workers/payments/saved-cards/save-card.ts'
import { readPayment } from '#workers/payments/settle/read-payment.ts'
import type { Handler } from '#workers/platform/handle.ts'
import { purgeRateLimits } from '#workers/rate-limits/purge-rate-limits.ts'
import { comparePayments } from '#workers/reconciliation/compare-payments.ts'
import { findSuspectPayments } from '#workers/reconciliation/find-suspect-payments.ts'
import { reconcileStore } from '#workers/reconciliation/reconcile-store.ts'
import { reconcileStores } from '#workers/reconciliation/reconcile-stores.ts'
import { recoverRefunds } from '#workers/refunds/recover-refunds.ts'
import { sendRefund } from '#workers/refunds/send-refund.ts'
import { readRemoteCatalog } from '#workers/remote-catalog/read-remote-catalog.ts'
import { rollUpReports } from '#workers/reports/roll-up-reports.ts'
import { settleReturns } from '#workers/returns/settle-returns.ts'
import { settleReturnsOfCanceledOrder } from '#workers/returns/settle-returns-of-canceled-order.ts'
import { purgePublishableKeys } from '#workers/stores/purge-publishable-keys.ts'
import { purgeDeletedStores, purgeStore } from '#workers/stores/purge-store.ts'
import { verifyDomain } from '#workers/stores/verify-domain.ts'
import { mailSubscriptionEvent } from '#workers/subscription-mails/mail-subscription-event.ts'
import { announcePrices } from '#workers/subscriptions/announce-prices.ts'
import { chargeSubscription } from '#workers/subscriptions/charge-subscription.ts'
import { enqueueDueCharges } from '#workers/subscriptions/enqueue-due-charges.ts'
import { enqueueDueReminders } from '#workers/subscriptions/enqueue-due-reminders.ts'
import { remindSubscriber } from '#workers/subscriptions/remind-subscriber.ts'
import { settleCharges } from '#workers/subscriptions/settle-charges.ts'
import { stopDisputedSubscriptions } from '#workers/subscriptions/stop-disputed-subscriptions.ts'
import { enqueueSupportReports } from '#workers/super-admin/enqueue-support-reports.ts'
import { reportSupportChanges } from '#workers/super-admin/report-support-changes.ts'
import { rollUpFigures } from '#workers/super-admin/roll-up-figures.ts'
import { deleteOldVisits } from '#workers/visits/delete-old-visits.ts'
import { purgeVisitorSalts } from '#workers/visits/purge-visitor-salts.ts'
import { settleShortfall } from '#workers/vouchers/settle-shortfall.ts'
import { deliverSlowWebhook, deliverWebhook } from '#workers/webhooks/deliver-webhook.ts'
import { failDeliveries } from '#workers/webhooks/fail-deliveries.ts'
import { purgeDeliveries } from '#workers/webhooks/purge-deliveries.ts'
import { recoverDeliveries } from '#workers/webhooks/recover-deliveries.ts'

/**
 * The handlers of all jobs in shared/all-jobs.ts, by the role of the worker processes that run them. The role `money`
 * also publishes events, because subscriptions, returns and commissions wait for them.
 */
export const handlersByRole: Readonly<Record<WorkerRole, readonly Handler[]>> = {
  money: [
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
    recoverPayments,
    returnSurplus,
    readMissedNotifications,
    saveMissedNotification,
    applyNotification,
    releaseHold,
    sendRefund,
    recoverRefunds,
    importGatewayHistory,
    settleReturns,
    settleReturnsOfCanceledOrder,
    settleCommission,
    settleShortfall,
    chargeSubscription,
    settleCharges,
    stopDisputedSubscriptions,
    enqueueDueCharges,
    publishEvents,
    recoverDeliveries,
  ],
  'mail-and-webhooks': [
    sendMail,
    sendPlatformMail,
    forwardStaffReset,
    sendPasswordReset,
    mailOrderEvent,
    mailSubscriptionEvent,
    remindSubscriber,
    enqueueDueReminders,
    enqueueSupportReports,
    reportSupportChanges,
    deliverWebhook,
    deliverSlowWebhook,
    failDeliveries,
  ],
  bulk: [
    importProducts,
    importCustomers,
    repriceProducts,
    enqueuePriceChanges,
    discardUnfinishedUpload,
    readRemoteCatalog,
    rerenderPages,
    processImage,
    removeImageFiles,
    announcePrices,
    verifyDomain,
    purgeStore,
    purgeDeletedStores,
    purgePublishableKeys,
    purgeCarts,
    purgeImportNotes,
    purgeAccountRecords,
    eraseResponses,
    purgeIdempotencyKeys,
    purgeRateLimits,
    purgeDeliveries,
    purgeVisitorSalts,
    deleteOldVisits,
    rollUpReports,
    rollUpFigures,
    verifyAuditLogs,
    reconcileStores,
    reconcileStore,
    findSuspectPayments,
    comparePayments,
  ],
}

export const handlers: readonly Handler[] = Object.values(handlersByRole).flat()
