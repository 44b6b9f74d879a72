import { factorSecrets } from './accounts/two-factor/factor-owner.ts'
import { codeVerifiers } from './identity-providers/attempt.ts'
import { clientSecrets } from './identity-providers/secret.ts'
import { mailSecrets } from './mail/queue-mail.ts'
import { passingAnswers } from './platform/answers.ts'
import { idempotentAnswers } from './platform/idempotent-answers.ts'
import type { Secrets } from './platform/secrets.ts'
import { apiKeys } from './remote-catalog/connection.ts'
import { superAdminFactorSecrets } from './super-admin/factor-owner.ts'
import { webhookSecrets } from './webhooks/secret.ts'

/** Every kind of secret that ENCRYPTION_KEYS seal: what a key that is to go may still be needed for. */
export const allSecrets: readonly Secrets[] = [
  factorSecrets,
  superAdminFactorSecrets,
  webhookSecrets,
  clientSecrets,
  apiKeys,
  idempotentAnswers,
  codeVerifiers,
  mailSecrets,
  passingAnswers,
]
