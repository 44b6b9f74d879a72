import { seal, unseal } from '../platform/crypto.ts'

const contextOf = (id: string): string => `identity_provider ${id}`

export const sealSecret = (secret: string, id: string): string => seal(secret, contextOf(id))

/** The secret that the service shows the provider; null for a public client. */
export const openSecret = ({
  id,
  sealedSecret,
}: {
  id: string
  sealedSecret: string | null
}): string | null => sealedSecret && unseal(sealedSecret, contextOf(id))
