import { payoutSecrets } from '#shared/affiliates/payout-details.ts'
import { auditKeySecrets } from '#shared/audit/sealed-content.ts'
import { platformTwoFactorSecrets, twoFactorSecrets } from '#shared/identity/two-factor/two-factor.ts'
import { codeVerifiers } from '#shared/identity-providers/authorization.ts'
import { clientSecrets } from '#shared/identity-providers/identity-provider.ts'
import { mailSecrets } from '#shared/mail/queue-mail.ts'
import { idempotentResponses } from '#shared/platform/idempotency/idempotency-key.ts'
import { replySecrets } from '#shared/platform/notify/reply-channel.ts'
import type { Secrets } from '#shared/platform/secrets/secrets.ts'
import { remoteCatalogKeys } from '#shared/remote-catalog/connection.ts'
import { voucherCodes, voucherHashKeys } from '#shared/vouchers/codes/sealed-code.ts'
import { webhookSecrets } from '#shared/webhooks/secret.ts'

/** Every kind of secret that ENCRYPTION_KEYS encrypt. `npm run secrets:reencrypt` covers them all. */
export const allSecrets: readonly Secrets[] = [
  twoFactorSecrets,
  platformTwoFactorSecrets,
  webhookSecrets,
  clientSecrets,
  remoteCatalogKeys,
  payoutSecrets,
  voucherCodes,
  voucherHashKeys,
  auditKeySecrets,
  idempotentResponses,
  codeVerifiers,
  mailSecrets,
  replySecrets,
]
