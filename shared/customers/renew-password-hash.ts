import { renewPasswordHash } from '#shared/identity/passwords/renew-password-hash.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { Customer } from './customer.ts'
import type { CustomerCredentials } from './find-credentials.ts'

/** As `renewPasswordHash`, of a customer. */
export const renewCustomerPasswordHash = (
  storeId: string,
  credentials: CustomerCredentials,
  password: string,
): Promise<CustomerCredentials> =>
  renewPasswordHash(credentials, password, (kept, passwordHash) =>
    inStore(storeId, (tx) =>
      Customer.in(tx).where({ id: credentials.id, password_hash: kept }).patch({ passwordHash }),
    ),
  )
