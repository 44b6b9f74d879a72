const importExample = {
  id: '01980d5e-6c1a-7a30-9c3e-5a2f3f0c1b78',
  dry_run: false,
  format: 'shopify',
  encoding: 'utf-8',
  delimiter: ',',
  ignored_columns: ['Customer ID', 'Total Spent', 'Total Orders', 'Tags'],
  rows_ignored: 0,
  bytes_total: 184_320,
  warning_count: 0,
  created_at: '2026-11-20T09:15:00.000Z',
  failure: '',
}

export const queuedImportExample = {
  ...importExample,
  status: 'queued',
  progress: 0,
  lines_done: 0,
  customers_created: 0,
  customers_updated: 0,
  customers_changed: 0,
  customers_failed: 0,
  error_count: 0,
  started_at: null,
  finished_at: null,
}

export const finishedImportExample = {
  ...importExample,
  status: 'succeeded',
  progress: 1,
  lines_done: 1_204,
  customers_created: 1_190,
  customers_updated: 12,
  customers_changed: 3,
  customers_failed: 1,
  error_count: 1,
  started_at: '2026-11-20T09:15:00.120Z',
  finished_at: '2026-11-20T09:15:00.810Z',
}
