import '#shared/all-principals.ts'
import * as affiliatesAdmin from '#api/affiliates/admin.ts'
import * as affiliatesStorefront from '#api/affiliates/storefront.ts'
import * as auditAdmin from '#api/audit/admin.ts'
import * as auditSuperAdmin from '#api/audit/super-admin.ts'
import * as campaignsAdmin from '#api/campaigns/admin.ts'
import * as cartStorefront from '#api/cart/storefront.ts'
import * as cartCoupon from '#api/cart/storefront-coupon.ts'
import * as cartShippingMethods from '#api/cart/storefront-shipping-methods.ts'
import * as catalogAdmin from '#api/catalog/admin.ts'
import * as catalogAttributes from '#api/catalog/admin-attributes.ts'
import * as catalogCategories from '#api/catalog/admin-categories.ts'
import * as catalogExport from '#api/catalog/admin-export.ts'
import * as catalogImport from '#api/catalog/admin-import.ts'
import * as catalogManufacturers from '#api/catalog/admin-manufacturers.ts'
import * as catalogProductParts from '#api/catalog/admin-product-parts.ts'
import * as catalogStockStatuses from '#api/catalog/admin-stock-statuses.ts'
import * as catalogVariants from '#api/catalog/admin-variants.ts'
import * as catalogStorefront from '#api/catalog/storefront.ts'
import * as checkoutStorefront from '#api/checkout/storefront.ts'
import * as contentPagesAdmin from '#api/content-pages/admin.ts'
import * as contentPagesStorefront from '#api/content-pages/storefront.ts'
import * as couponsAdmin from '#api/coupons/admin.ts'
import * as customersAdmin from '#api/customers/admin.ts'
import * as customersGroups from '#api/customers/admin-groups.ts'
import * as customersImport from '#api/customers/admin-import.ts'
import * as customersAdminPrivacy from '#api/customers/admin-privacy.ts'
import * as customersStorefrontAddresses from '#api/customers/storefront-addresses.ts'
import * as customersStorefrontPrivacy from '#api/customers/storefront-privacy.ts'
import * as disputesAdmin from '#api/disputes/admin.ts'
import * as eventsAdmin from '#api/events/admin.ts'
import * as geoAdminCountries from '#api/geo/admin-countries.ts'
import * as geoAdminZones from '#api/geo/admin-geo-zones.ts'
import * as geoStorefront from '#api/geo/storefront.ts'
import * as identityAccountSecurity from '#api/identity/account-security.ts'
import * as identityActivity from '#api/identity/activity.ts'
import * as identityEmail from '#api/identity/email.ts'
import * as identityLinks from '#api/identity/identity-links.ts'
import * as identityOwnDeletion from '#api/identity/own-deletion.ts'
import * as identityPasswords from '#api/identity/passwords.ts'
import * as identityProfile from '#api/identity/profile.ts'
import * as identityRefresh from '#api/identity/refresh.ts'
import * as identitySignIn from '#api/identity/sign-in.ts'
import * as identitySignOut from '#api/identity/sign-out.ts'
import * as identitySignUp from '#api/identity/sign-up.ts'
import * as identityProvidersAdmin from '#api/identity-providers/admin.ts'
import * as identityProvidersAuth from '#api/identity-providers/auth.ts'
import * as imagesAdmin from '#api/images/admin.ts'
import * as inventoryAdmin from '#api/inventory/admin.ts'
import * as orderHistoryAdmin from '#api/order-history/admin.ts'
import * as ordersAdmin from '#api/orders/admin.ts'
import * as ordersAdminPayments from '#api/orders/admin-payments.ts'
import * as ordersShipments from '#api/orders/admin-shipments.ts'
import * as ordersStorefront from '#api/orders/storefront.ts'
import * as paymentMethods from '#api/payment-methods/admin.ts'
import * as paymentMethodsStorefront from '#api/payment-methods/storefront.ts'
import * as paymentsWebhook from '#api/payments/webhook.ts'
import type { Operation } from '#api/platform/operation/operation.ts'
import * as questionsAdmin from '#api/questions/admin.ts'
import * as questionsStorefront from '#api/questions/storefront.ts'
import * as recurringPlansAdmin from '#api/recurring-plans/admin.ts'
import * as recurringPlansPrice from '#api/recurring-plans/admin-apply-price.ts'
import * as refundsAdmin from '#api/refunds/admin.ts'
import * as remoteCatalogAdmin from '#api/remote-catalog/admin.ts'
import * as remoteCatalogSettings from '#api/remote-catalog/admin-settings.ts'
import * as reportsAdmin from '#api/reports/admin.ts'
import * as returnsAdmin from '#api/returns/admin.ts'
import * as returnsContext from '#api/returns/admin-order-context.ts'
import * as returnsRefund from '#api/returns/admin-refund.ts'
import * as returnsSteps from '#api/returns/admin-steps.ts'
import * as returnsStorefront from '#api/returns/storefront.ts'
import * as shippingMethods from '#api/shipping-methods/admin.ts'
import * as staffTokens from '#api/staff/admin-api-tokens.ts'
import * as staffOwner from '#api/staff/admin-owner.ts'
import * as staffRoles from '#api/staff/admin-roles.ts'
import * as staffSupportAccess from '#api/staff/admin-support-access.ts'
import * as staffUsers from '#api/staff/admin-users.ts'
import * as staffSuperAdminOwner from '#api/staff/super-admin-owner.ts'
import * as staffSuperAdminSupport from '#api/staff/super-admin-support.ts'
import * as storesAdmin from '#api/stores/admin.ts'
import * as storesDomains from '#api/stores/admin-domains.ts'
import * as storesKeys from '#api/stores/admin-publishable-keys.ts'
import * as storesSettings from '#api/stores/admin-settings.ts'
import * as storesStorefront from '#api/stores/storefront.ts'
import * as superAdminStores from '#api/stores/super-admin.ts'
import * as superAdminDomains from '#api/stores/super-admin-domains.ts'
import * as superAdminStoreLifecycle from '#api/stores/super-admin-lifecycle.ts'
import * as superAdminPublishableKeys from '#api/stores/super-admin-publishable-keys.ts'
import * as subscriptionsAdmin from '#api/subscriptions/admin.ts'
import * as subscriptionsStorefront from '#api/subscriptions/storefront.ts'
import * as superAdminAccountSecurity from '#api/super-admin/account-security.ts'
import * as superAdminAuth from '#api/super-admin/auth.ts'
import * as superAdminFigures from '#api/super-admin/figures.ts'
import * as superAdminQueues from '#api/super-admin/queues.ts'
import * as taxClasses from '#api/tax/admin-classes.ts'
import * as taxRates from '#api/tax/admin-rates.ts'
import * as visitsStorefront from '#api/visits/storefront.ts'
import * as vouchersAdmin from '#api/vouchers/admin.ts'
import * as vouchersThemes from '#api/vouchers/admin-themes.ts'
import * as vouchersStorefront from '#api/vouchers/storefront.ts'
import * as webhooksAdmin from '#api/webhooks/admin.ts'
import * as webhooksDeliveries from '#api/webhooks/admin-deliveries.ts'
import * as wishlistStorefront from '#api/wishlist/storefront.ts'

/** Every operation of the service. An operation must be listed here to be served, described and tested. */
export const endpoints: readonly Operation[] = [
  identitySignUp,
  identitySignIn,
  identityRefresh,
  identitySignOut,
  identityProfile,
  identityPasswords,
  identityAccountSecurity,
  identityActivity,
  identityEmail,
  identityLinks,
  identityOwnDeletion,
  cartStorefront,
  cartShippingMethods,
  cartCoupon,
  // List it before the products, because their path with an id matches it too.
  catalogExport,
  catalogAdmin,
  catalogProductParts,
  catalogImport,
  catalogVariants,
  inventoryAdmin,
  imagesAdmin,
  catalogAttributes,
  catalogManufacturers,
  catalogStockStatuses,
  catalogCategories,
  catalogStorefront,
  customersStorefrontAddresses,
  customersAdmin,
  customersGroups,
  customersImport,
  customersAdminPrivacy,
  customersStorefrontPrivacy,
  checkoutStorefront,
  wishlistStorefront,
  questionsAdmin,
  questionsStorefront,
  contentPagesAdmin,
  contentPagesStorefront,
  geoAdminCountries,
  geoAdminZones,
  geoStorefront,
  couponsAdmin,
  campaignsAdmin,
  visitsStorefront,
  affiliatesAdmin,
  affiliatesStorefront,
  identityProvidersAdmin,
  identityProvidersAuth,
  recurringPlansAdmin,
  recurringPlansPrice,
  ordersAdmin,
  ordersStorefront,
  paymentsWebhook,
  ordersAdminPayments,
  ordersShipments,
  orderHistoryAdmin,
  refundsAdmin,
  disputesAdmin,
  remoteCatalogAdmin,
  remoteCatalogSettings,
  reportsAdmin,
  returnsContext,
  returnsAdmin,
  returnsSteps,
  returnsRefund,
  returnsStorefront,
  subscriptionsStorefront,
  subscriptionsAdmin,
  storesSettings,
  paymentMethods,
  shippingMethods,
  paymentMethodsStorefront,
  staffTokens,
  staffRoles,
  staffUsers,
  staffOwner,
  staffSupportAccess,
  storesAdmin,
  storesStorefront,
  storesKeys,
  storesDomains,
  eventsAdmin,
  auditAdmin,
  vouchersAdmin,
  vouchersThemes,
  vouchersStorefront,
  taxClasses,
  taxRates,
  webhooksAdmin,
  webhooksDeliveries,
  superAdminAuth,
  superAdminAccountSecurity,
  superAdminStores,
  superAdminStoreLifecycle,
  staffSuperAdminOwner,
  superAdminPublishableKeys,
  superAdminDomains,
  staffSuperAdminSupport,
  superAdminFigures,
  superAdminQueues,
  auditSuperAdmin,
].flatMap((area) => Object.values(area))
