import { type Static, Type } from 'typebox'
import { Clearable, Shape } from '#shared/platform/http/schema.ts'
import { HttpsUrl } from '#shared/platform/http/web-url.ts'

/** The look of a store's mails. */
export const Branding = Shape({
  logo_url: Clearable(Type.String({ ...HttpsUrl, maxLength: 500, description: 'https; shown above mails' })),
  color: Clearable(
    Type.String({ pattern: '^#[0-9a-fA-F]{6}$', description: 'The color of buttons in mails, as #rrggbb' }),
  ),
})
export type Branding = Static<typeof Branding>

export const NO_BRANDING: Branding = { logo_url: null, color: null }
