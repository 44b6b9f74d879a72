import { Customer } from '#shared/customers/customer.ts'
import { isSameMailbox } from '#shared/identity/email.ts'
import { columnNameIn } from '#shared/imports/file/header.ts'
import { type RowNote, rowFault, rowWarning } from '#shared/imports/file/row-note.ts'
import { newId } from '#shared/platform/db/id.ts'
import { nextUpdatedAt } from '#shared/platform/db/next-updated-at.ts'
import { isErasedEmail } from '#shared/platform/privacy/erase-fields.ts'
import { now } from '#shared/platform/time/clock.ts'
import type { CustomerHeader } from './columns.ts'
import type { KnownCustomers } from './known-customers.ts'
import { planCustomerAddress } from './plan-customer-address.ts'
import { type CustomerRow, IMPORTED_FIELDS } from './read-customer-row.ts'
import { differs, WITHHELD_MESSAGE, withholdFromUnconfirmed } from './withhold-from-unconfirmed.ts'

/** The planned state of a customer of the file. */
export interface CustomerPlan {
  row: CustomerRow
  /** Null for a new customer. */
  before: Customer | null
  customer: Customer
  /** Whether fields of the customer differ from the file. A new address changes no field. */
  isChanged: boolean
  /** The address to add to the customer's book. */
  newAddress: ReturnType<typeof planCustomerAddress>
}

export interface CustomerPlanResult {
  plan: CustomerPlan | null
  notes: RowNote[]
}

/** Plans a customer from all rows with the same e-mail address. Only the first row is imported. */
export function planCustomer(
  [row, ...others]: CustomerRow[],
  known: KnownCustomers,
  header: CustomerHeader,
): CustomerPlanResult {
  if (!row) return { plan: null, notes: [] }
  const claimedLine = known.claimedLines.get(row.emailNormalized)
  const repeatedRows = claimedLine === undefined ? others : [row, ...others]
  const repeated = notesOfRepeated(repeatedRows, claimedLine ?? row.line, header)
  if (claimedLine !== undefined) return { plan: null, notes: repeated }

  const before = known.byEmail.get(row.emailNormalized) ?? null
  const group = findGroup(row, known, header)
  const base = before ?? newCustomer(row, known.defaultGroupId)
  const { fields, newAddress, isWithheld } = withholdFromUnconfirmed(before, {
    fields: fieldsOf(row, base, group.id),
    newAddress: planCustomerAddress(row, before ? (known.addresses.get(before.id) ?? []) : []),
  })
  const isChanged = !before || differs(before, fields)
  const emailColumn = columnNameIn(header, 'email')
  const refusal = refusalOf(row, before, isChanged)
  if (refusal) return { plan: null, notes: [rowFault(row.line, emailColumn, refusal), ...repeated] }

  const customer = isChanged
    ? base.$clone().$set({ ...fields, ...(before ? { updatedAt: nextUpdatedAt(before) } : {}) })
    : base
  const withheld = isWithheld ? [rowWarning(row.line, emailColumn, WITHHELD_MESSAGE)] : []
  return {
    plan: { row, before, customer, isChanged, newAddress },
    notes: [
      ...row.notes,
      ...group.notes,
      ...withheld,
      ...repeated,
      ...notesOfAddress(row, newAddress, header),
    ],
  }
}

const notesOfRepeated = (rows: CustomerRow[], firstLine: number, header: CustomerHeader): RowNote[] =>
  rows.map(({ line }) =>
    rowFault(
      line,
      columnNameIn(header, 'email'),
      `Line ${firstLine} already has this e-mail address. Merge the rows`,
    ),
  )

const notesOfAddress = (
  { line }: CustomerRow,
  newAddress: CustomerPlan['newAddress'],
  header: CustomerHeader,
): RowNote[] =>
  newAddress === 'full'
    ? [
        rowWarning(
          line,
          columnNameIn(header, 'address_1'),
          'The address book is full. The address is not imported',
        ),
      ]
    : []

/** Returns the reason why a row is not imported; null for a row to import. */
function refusalOf(
  { email, address }: CustomerRow,
  before: Customer | null,
  isChanged: boolean,
): string | null {
  // Exports contain anonymized customers too. Unchanged ones are no fault.
  const isErased = before ? before.anonymizedAt && (isChanged || address) : isErasedEmail(email)
  if (isErased) return 'This customer was anonymized, and stays so'
  return !before || isSameMailbox(before.email, email)
    ? null
    : 'A customer has another spelling of this e-mail address. Write it as it is there'
}

const fieldsOf = ({ cells }: CustomerRow, base: Customer, groupId: string | null) => ({
  ...Object.fromEntries(
    IMPORTED_FIELDS.flatMap((field) => (cells[field] === null ? [] : [[field, cells[field]]])),
  ),
  customerGroupId: groupId ?? base.customerGroupId,
})

function newCustomer({ email, emailNormalized }: CustomerRow, customerGroupId: string): Customer {
  const at = now()
  return Customer.fromJson(
    {
      id: newId(),
      email,
      emailNormalized,
      passwordHash: null,
      firstname: '',
      lastname: '',
      telephone: null,
      language: null,
      acceptsMarketing: false,
      isActive: true,
      verifiedAt: null,
      customerGroupId,
      taxExempt: false,
      taxNumber: null,
      note: null,
      metadata: {},
      createdAt: at,
      updatedAt: at,
    },
    { skipValidation: true },
  )
}

/** Returns the group that a row names; null if it names none, and with a warning if the store has no such group. */
function findGroup(
  { line, group }: CustomerRow,
  { groups }: KnownCustomers,
  header: CustomerHeader,
): { id: string | null; notes: RowNote[] } {
  const column = group.id === null ? 'customer_group' : 'customer_group_id'
  const found = group.id === null ? groups.byName.get(group.name ?? '') : groups.byId.get(group.id)
  if (found || (group.id === null && group.name === null)) return { id: found?.id ?? null, notes: [] }
  const message =
    'This store has no such customer group. Existing customers keep theirs; new ones join the default group'
  return { id: null, notes: [rowWarning(line, columnNameIn(header, column), message)] }
}
