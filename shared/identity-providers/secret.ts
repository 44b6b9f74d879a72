import { defineSecrets } from '#shared/platform/secrets/secrets.ts'
import type { IdentityProvider } from './identity-provider.ts'

export const clientSecrets = defineSecrets(
  'client secrets at identity providers',
  { scope: 'store', table: 'identity_providers', columns: ['sealed_secret'] },
  ({ id }: Pick<IdentityProvider, 'id'>) => `identity_provider ${id}`,
)

export const sealSecret = (secret: string, id: string): string => clientSecrets.of({ id }).seal(secret)

/** The secret that the service shows the provider; null for a public client. */
export const openSecret = (provider: Pick<IdentityProvider, 'id' | 'sealedSecret'>): string | null =>
  provider.sealedSecret && clientSecrets.of(provider).open(provider.sealedSecret)
