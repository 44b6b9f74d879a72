import { Type } from 'typebox'
import { fileQuery, toMapping } from '#api/imports/file-query.ts'
import { FILE_ERRORS, FILE_UPLOAD, IMPORT_LIMIT } from '#api/imports/file-upload.ts'
import { staff } from '#api/platform/auth/access.ts'
import { streamBytes } from '#api/platform/input/body.ts'
import { listQuery } from '#api/platform/input/list-query.ts'
import { page, pageMeta, Reply } from '#api/platform/output/reply.ts'
import { endpoint } from '#api/platform/pipeline/endpoint.ts'
import { importCustomers as worker } from '#shared/customers/import/jobs.ts'
import { readCustomerHeader } from '#shared/customers/import/read-header.ts'
import {
  CustomerImportReport,
  CustomerImportView,
  viewCustomerImport,
  viewCustomerReport,
} from '#shared/customers/import/view.ts'
import { findImport, IMPORT_STATUSES, IMPORTS, listImports } from '#shared/imports/import-job.ts'
import { queueImport, receiveUpload } from '#shared/imports/receive-upload.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { PageQuery, Shape, Uuid } from '#shared/platform/http/schema.ts'
import { finishedImportExample, queuedImportExample } from './import-examples.ts'

const ImportQuery = Shape({
  ...fileQuery,
  send_invitations: Type.Boolean({
    default: false,
    description: 'Mail every new customer a link to choose a password, good for seven days',
  }),
})

export const importCustomers = endpoint({
  method: 'post',
  path: '/admin/customers/import',
  access: staff('customers:write'),
  audit: { action: 'postAdminCustomersImport', resource: 'customers/import' },
  summary: 'Import customers from a CSV file',
  description: `The body is the file, at most 50 MB. A worker imports it. The import shows the progress, the errors and the warnings.

The header tells the format: the own one, as \`GET /admin/customers\` writes it with \`Accept: text/csv\`, or Shopify's customer export. For any other file \`columns\` says which column is which: \`{"E-Mail":"email","Kundengruppe":"customer_group"}\`. Separator and encoding are found.

One row is one customer, found by the e-mail address. An import creates and updates, and deletes nothing; a blank cell keeps the existing value. Existing customers keep their address as it is written and verified, their password and their sessions, unless \`is_active\` is false. New ones have no password and an address that is not verified: they claim the account by "forgot password", or by \`send_invitations\`. No other mail is sent.

The address of a row is added to the address book unless the book has it; the first one is the default. A country is written as its code or its name. A row with an error is reported and skipped; the others are imported. The report names lines and columns and repeats no personal data. A repeated import of a file changes nothing. Each new or changed customer emits one event, \`customer.created\` or \`customer.updated\`.`,
  ...FILE_UPLOAD,
  query: ImportQuery,
  returns: [202, CustomerImportView],
  errors: FILE_ERRORS,
  example: {
    body: 'email,firstname,lastname,accepts_marketing\nada@example.com,Ada,Lovelace,true\n',
    data: queuedImportExample,
  },
  async handle({ store, staff, query, request, unitOfWork }) {
    const settings = { mapping: toMapping(query.columns), sendsInvitations: query.send_invitations }
    const upload = { kind: 'customers', dryRun: query.dry_run, createdBy: staff.id, settings } as const
    const file = streamBytes(request.stream, IMPORT_LIMIT)
    const received = await receiveUpload(store.id, upload, file, (cells) =>
      readCustomerHeader(cells, settings.mapping),
    )
    return unitOfWork.inStore(store.id, async (tx) =>
      viewCustomerImport(await queueImport(tx, received, worker)),
    )
  },
})

export const listCustomerImports = endpoint({
  method: 'get',
  path: '/admin/customer-imports',
  access: staff('customers:read'),
  paginated: true,
  summary: 'List the imports of customers, the latest first',
  query: listQuery(IMPORTS, { status: Type.Optional(Type.Enum([...IMPORT_STATUSES])) }),
  returns: [200, Type.Array(CustomerImportView)],
  example: { data: [finishedImportExample] },
  async handle({ tx, query }) {
    return page(await listImports(tx, 'customers', query), query, viewCustomerImport)
  },
})

export const showCustomerImport = endpoint({
  method: 'get',
  path: '/admin/customer-imports/:id',
  access: staff('customers:read'),
  summary: 'Read the progress, the errors and the warnings of an import of customers',
  description:
    'Progress and counts increase while it runs. `meta` is about `errors`, of which the first 10,000 are saved, and as many ' +
    'warnings.',
  params: Shape({ id: Uuid }),
  query: Shape(PageQuery),
  returns: [200, CustomerImportReport],
  paginated: true,
  errors: [CommonErrors.notFound],
  example: {
    data: {
      ...finishedImportExample,
      errors: [
        {
          severity: 'error',
          line: 17,
          field: 'Email',
          message: 'Line 12 has this e-mail address already. Make one row of them',
          value: '',
        },
      ],
    },
  },
  async handle({ tx, params, query }) {
    const { job, notes, total } = await findImport(tx, params.id, 'customers', query)
    return new Reply(viewCustomerReport(job, notes), { meta: pageMeta(total, query) })
  },
})
