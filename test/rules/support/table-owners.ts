/** The folder below `shared` that owns each table. Only its files write the table and read it in SQL. */
export const TABLES_BY_OWNER: Record<string, string[]> = {
  'platform/cache': ['catalog_versions'],
  'platform/db': ['knex_migrations', 'knex_migrations_lock', 'migration_checksums'],
  'platform/events': ['event_sequences', 'events'],
  'platform/idempotency': ['idempotency_keys', 'response_erasures'],
  'platform/metrics': ['metric_figures'],
  'platform/throttle': ['rate_limits', 'throttle_slots', 'throttle_suspensions'],
  audit: [
    ...['audit_entries', 'audit_heads', 'audit_keys'],
    ...['platform_audit_checks', 'platform_audit_entries', 'platform_audit_heads'],
  ],
  geo: ['closed_countries', 'geo_zone_members', 'geo_zones'],
  stores: ['publishable_key_origins', 'publishable_keys', 'store_domains', 'stores'],
  tax: ['tax_classes', 'tax_rates'],
  'payment-methods': ['payment_methods'],
  'shipping-methods': ['shipping_method_zones', 'shipping_methods'],
  staff: ['api_tokens', 'roles', 'staff_directory', 'staff_members', 'support_consents'],
  customers: ['customer_addresses', 'customer_counts', 'customer_groups', 'customer_words', 'customers'],
  identity: [
    ...['account_links', 'identity_links', 'recovery_codes', 'security_events', 'sessions', 'two_factor'],
    ...['super_admin_recovery_codes', 'super_admin_sessions', 'super_admin_two_factor'],
  ],
  'identity-providers': ['identity_providers', 'oauth_attempts', 'oauth_codes'],
  imports: ['import_chunks', 'import_jobs', 'import_keys', 'import_notes'],
  inventory: ['stock_movements', 'stock_reservations'],
  'recurring-plans': ['recurring_plan_products', 'recurring_plans', 'trial_uses'],
  catalog: [
    ...['attribute_groups', 'attributes', 'categories', 'manufacturers', 'stock_statuses'],
    ...['price_rules', 'product_attributes', 'product_categories', 'product_lexemes', 'product_variants'],
    ...['product_words', 'products', 'related_products', 'word_trigrams'],
  ],
  images: ['image_uploads', 'images'],
  questions: ['product_questions', 'question_words'],
  'content-pages': ['content_pages'],
  wishlist: ['wishlist_items'],
  'remote-catalog': ['remote_connections', 'remote_links', 'remote_reads'],
  coupons: ['coupon_uses', 'coupons'],
  vouchers: [
    'voucher_code_keys',
    'voucher_entries',
    'voucher_redemptions',
    'voucher_themes',
    'voucher_withdrawals',
    'voucher_words',
    'vouchers',
  ],
  visits: [
    'campaign_return_visits',
    'campaign_visit_days',
    'campaign_visits',
    'tracking_codes',
    'visitor_salts',
  ],
  campaigns: ['campaigns'],
  affiliates: ['affiliates', 'commission_entries', 'commissions'],
  cart: ['cart_items', 'cart_vouchers', 'carts'],
  orders: ['order_steps', 'order_items', 'order_words', 'orders', 'shipment_items', 'shipments'],
  payments: [
    ...[
      'card_setups',
      'gateway_customers',
      'notification_cursors',
      'payment_notifications',
      'payment_references',
      'payments',
    ],
    ...['saved_cards', 'surpluses'],
  ],
  subscriptions: [
    'subscription_charges',
    'subscription_price_changes',
    'subscription_words',
    'subscriptions',
  ],
  refunds: ['refund_items', 'refunds'],
  disputes: ['disputes'],
  'order-mails': ['order_mails'],
  'subscription-mails': ['subscription_mails'],
  reconciliation: ['platform_reconciliations'],
  'order-history': ['order_notes'],
  reports: ['report_changes', 'report_days', 'report_facts', 'report_months'],
  returns: ['return_items', 'return_words', 'returns'],
  webhooks: ['webhook_attempts', 'webhook_deliveries', 'webhooks'],
  'super-admin': ['super_admins', 'platform_daily_figures'],
}

/**
 * Columns that another domain than the owner of their table writes. That domain writes no other column of the table,
 * and may read it in SQL. `column-ownership.test.ts` tests both.
 */
export const COLUMNS_BY_OWNER: Record<string, Record<string, string[]>> = {
  inventory: { product_variants: ['stock_on_hand', 'stock_allocated', 'stock_held', 'stock_changed_at'] },
}

/** Domains that read the tables of other domains in SQL, each with the reason. They write none of them. */
export const READ_EVERY_TABLE: Record<string, string> = {
  reconciliation: 'compares the books of all domains with each other',
  reports: 'adds up the books of all domains',
}

/** Files that write tables of every domain by a name in a variable, each with the reason. */
export const WRITE_EVERY_TABLE: Record<string, string> = {
  'shared/stores/lifecycle/purge-store.ts': 'deletes every row of a purged store, table by table',
  'migrations/seeds/year-of-orders/write-rows.ts': 'writes the past of a demo store, without events and jobs',
  'shared/platform/db/word-index.ts': 'writes the tables of words that domains declare',
  'shared/platform/secrets/reencrypt-kind.ts': 're-encrypts the columns that domains declare as secret',
}

/** Files that write tables of their own domain by a name in a variable. */
export const WRITE_OWN_TABLES: string[] = [
  'shared/audit/head.ts',
  'shared/audit/record-change.ts',
  'shared/catalog/import/save/save-products.ts',
  'shared/catalog/taxonomy/create-term.ts',
  'shared/catalog/taxonomy/delete-term.ts',
  'shared/catalog/taxonomy/update-term.ts',
  'shared/identity/erase-account.ts',
  'shared/identity/retention.ts',
  'shared/identity/sessions/insert-session.ts',
  'shared/identity/sessions/session.ts',
  'shared/identity/two-factor/recovery-code.ts',
  'shared/identity/two-factor/two-factor.ts',
  'shared/imports/upload-chunks.ts',
  'shared/platform/jobs/delete-jobs-about.ts',
  'shared/platform/jobs/waiting-jobs.ts',
]
