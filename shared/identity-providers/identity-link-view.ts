import { type Static, Type } from 'typebox'
import { toTimestamp } from '#shared/platform/http/response-values.ts'
import { Shape, Timestamp, Uuid } from '#shared/platform/http/schema.ts'
import type { ListedLink } from './list-identity-links.ts'
import { SignInProviderView, viewSignInProvider } from './view.ts'

export const IdentityLinkView = Shape({
  id: Uuid,
  provider: Shape({
    ...SignInProviderView.properties,
    is_active: Type.Boolean({ description: 'False: nobody can sign in by it until the store activates it' }),
  }),
  created_at: { ...Timestamp, description: 'The time of the sign-in that linked it' },
})

/** Returns a link for the holder of its account. */
export const viewIdentityLink = ({ link, provider }: ListedLink): Static<typeof IdentityLinkView> => ({
  id: link.id,
  provider: { ...viewSignInProvider(provider), is_active: provider.isActive },
  created_at: toTimestamp(link.createdAt),
})
