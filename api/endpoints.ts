import * as accountsActivity from './accounts/activity.ts'
import * as accountsEmail from './accounts/email.ts'
import * as accountsEmailChange from './accounts/email-change.ts'
import * as accountsPasswords from './accounts/passwords.ts'
import * as accountsSessions from './accounts/sessions.ts'
import * as accountsStorefront from './accounts/storefront.ts'
import * as accountsTwoFactor from './accounts/two-factor.ts'
import * as auditAdmin from './audit/admin.ts'
import * as cartCoupon from './cart/coupon.ts'
import * as cartStorefront from './cart/storefront.ts'
import * as catalogAdmin from './catalog/admin.ts'
import * as catalogImport from './catalog/import.ts'
import * as catalogProductParts from './catalog/product-parts.ts'
import * as catalogStock from './catalog/stock.ts'
import * as catalogStorefront from './catalog/storefront.ts'
import * as catalogVariants from './catalog/variants.ts'
import * as catalogVocabulary from './catalog/vocabulary/admin.ts'
import * as checkoutStorefront from './checkout/storefront.ts'
import * as couponsAdmin from './coupons/admin.ts'
import * as customersStorefront from './customers/storefront.ts'
import * as eventsAdmin from './events/admin.ts'
import * as geoAdminCountries from './geo/admin-countries.ts'
import * as geoAdminZones from './geo/admin-geo-zones.ts'
import * as geoStorefront from './geo/storefront.ts'
import * as identityProvidersAdmin from './identity-providers/admin.ts'
import * as identityProvidersStorefront from './identity-providers/storefront.ts'
import * as ordersAdmin from './orders/admin.ts'
import * as ordersAdminChange from './orders/admin-change.ts'
import * as ordersStorefront from './orders/storefront.ts'
import * as paymentsWebhook from './payments/webhook.ts'
import type { Operation } from './platform/endpoint.ts'
import * as questionsAdmin from './questions/admin.ts'
import * as questionsStorefront from './questions/storefront.ts'
import * as refundsAdmin from './refunds/admin.ts'
import * as remoteCatalogAdmin from './remote-catalog/admin.ts'
import * as remoteCatalogSettings from './remote-catalog/settings.ts'
import * as returnsAdmin from './returns/admin.ts'
import * as returnsSteps from './returns/admin-steps.ts'
import * as returnsContext from './returns/order-context.ts'
import * as returnsRefund from './returns/refund.ts'
import * as returnsStorefront from './returns/storefront.ts'
import * as settingsAdmin from './settings/admin.ts'
import * as settingsPaymentMethods from './settings/admin-payment-methods.ts'
import * as settingsShippingMethods from './settings/admin-shipping-methods.ts'
import * as settingsStorefront from './settings/storefront.ts'
import * as staffTokens from './staff/api-tokens.ts'
import * as staffOwner from './staff/owner.ts'
import * as staffRoles from './staff/roles.ts'
import * as staffUsers from './staff/users.ts'
import * as storesAdmin from './stores/admin.ts'
import * as storesDomains from './stores/admin-domains.ts'
import * as storesKeys from './stores/admin-keys.ts'
import * as storesStorefront from './stores/storefront.ts'
import * as superAdminAudit from './super-admin/audit.ts'
import * as superAdminAuth from './super-admin/auth.ts'
import * as superAdminDomains from './super-admin/domains.ts'
import * as superAdminFigures from './super-admin/figures.ts'
import * as superAdminKeys from './super-admin/keys.ts'
import * as superAdminOwner from './super-admin/owner.ts'
import * as superAdminPasswords from './super-admin/passwords.ts'
import * as superAdminQueues from './super-admin/queues.ts'
import * as superAdminSessions from './super-admin/sessions.ts'
import * as superAdminStoreStatus from './super-admin/store-status.ts'
import * as superAdminStores from './super-admin/stores.ts'
import * as superAdminSupport from './super-admin/support.ts'
import * as superAdminTwoFactor from './super-admin/two-factor.ts'
import * as taxClasses from './tax/admin-classes.ts'
import * as taxRates from './tax/admin-rates.ts'
import * as vouchersAdmin from './vouchers/admin.ts'
import * as vouchersThemes from './vouchers/admin-themes.ts'
import * as vouchersTransactions from './vouchers/admin-transactions.ts'
import * as vouchersStorefront from './vouchers/storefront.ts'
import * as webhooksAdmin from './webhooks/admin.ts'
import * as webhooksDeliveries from './webhooks/deliveries.ts'
import * as wishlistStorefront from './wishlist/storefront.ts'

/** Every operation of the service: what is not listed here is neither served, described nor tested. */
export const endpoints: readonly Operation[] = [
  accountsStorefront,
  accountsPasswords,
  accountsSessions,
  accountsActivity,
  accountsTwoFactor,
  accountsEmail,
  accountsEmailChange,
  cartStorefront,
  cartCoupon,
  catalogAdmin,
  catalogProductParts,
  catalogImport,
  catalogVariants,
  catalogStock,
  catalogVocabulary,
  catalogStorefront,
  customersStorefront,
  checkoutStorefront,
  wishlistStorefront,
  questionsAdmin,
  questionsStorefront,
  geoAdminCountries,
  geoAdminZones,
  geoStorefront,
  couponsAdmin,
  identityProvidersAdmin,
  identityProvidersStorefront,
  ordersAdmin,
  ordersAdminChange,
  ordersStorefront,
  paymentsWebhook,
  refundsAdmin,
  remoteCatalogAdmin,
  remoteCatalogSettings,
  returnsContext,
  returnsAdmin,
  returnsSteps,
  returnsRefund,
  returnsStorefront,
  settingsAdmin,
  settingsPaymentMethods,
  settingsShippingMethods,
  settingsStorefront,
  staffTokens,
  staffRoles,
  staffUsers,
  staffOwner,
  storesAdmin,
  storesStorefront,
  storesKeys,
  storesDomains,
  eventsAdmin,
  auditAdmin,
  vouchersAdmin,
  vouchersTransactions,
  vouchersThemes,
  vouchersStorefront,
  taxClasses,
  taxRates,
  webhooksAdmin,
  webhooksDeliveries,
  superAdminAuth,
  superAdminPasswords,
  superAdminTwoFactor,
  superAdminSessions,
  superAdminStores,
  superAdminStoreStatus,
  superAdminOwner,
  superAdminKeys,
  superAdminDomains,
  superAdminSupport,
  superAdminFigures,
  superAdminQueues,
  superAdminAudit,
].flatMap((area) => Object.values(area))
