import { Type } from 'typebox'
import { importEndpoints } from '#api/imports/import-endpoints.ts'
import { staff, staffNotSupport } from '#api/platform/auth/access.ts'
import { importCustomers as job } from '#shared/customers/import/jobs.ts'
import { readCustomerHeader } from '#shared/customers/import/read-customer-header.ts'
import { CUSTOMER_IMPORT } from '#shared/customers/import/view.ts'
import { finishedImportExample, queuedImportExample } from './admin-import-examples.ts'

export const {
  upload: importCustomers,
  list: listCustomerImports,
  read: showCustomerImport,
} = importEndpoints({
  kind: 'customers',
  path: '/admin/customers/import',
  jobsPath: '/admin/customer-imports',
  audit: { action: 'postAdminCustomersImport', resource: 'customers/import' },
  reads: staff('customers:read'),
  // A file sets groups and exemptions from tax, too.
  writes: staffNotSupport('customers:write'),
  description: {
    formats:
      "this service's own (as `GET /admin/customers` writes it with `Accept: text/csv`) or Shopify's customer export",
    rows:
      "One row is one customer, found by the e-mail address. An import does not change an existing customer's e-mail " +
      'address, verification or password. `is_active` false also closes their sessions. A new customer has neither a ' +
      'password nor a verified e-mail address, and claims the account by "forgot password" or the link of ' +
      '`send_invitations`. No other mail is sent.\n\n' +
      "An account whose customer has not confirmed the e-mail address may be somebody else's. It keeps its names, " +
      'telephone, tax number, group and addresses, and gets no exemption from tax; the report warns of such rows.\n\n' +
      "A row's address is added if the address book does not contain it. A customer's first address becomes the " +
      'default. A country is written as its code or its name. The report names lines and columns and repeats no ' +
      'personal data. Each new or changed customer emits one event, `customer.created` or `customer.updated`.',
  },
  parameters: {
    send_invitations: Type.Boolean({
      default: false,
      description: 'Mail every new customer a link to choose a password, good for seven days',
    }),
  },
  readOptions: ({ send_invitations }) => ({ sendsInvitations: send_invitations }),
  readHeader: readCustomerHeader,
  job,
  views: CUSTOMER_IMPORT,
  examples: {
    file: 'email,firstname,lastname,accepts_marketing\nada@example.com,Ada,Lovelace,true\n',
    queued: queuedImportExample,
    finished: finishedImportExample,
    error: {
      severity: 'error',
      line: 17,
      field: 'Email',
      message: 'Line 12 already has this e-mail address. Merge the rows',
      value: '',
    },
  },
})
