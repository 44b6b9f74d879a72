import { Type } from 'typebox'
import { Country } from '#api/geo/schemas.ts'
import { Changes, Clearable, Email, Language, Line, Name } from '#shared/platform/http/schema.ts'
import { Branding } from '#shared/stores/settings/branding.ts'
import { Links } from '#shared/stores/settings/links.ts'
import { OrderMails } from '#shared/stores/settings/order-mails.ts'
import { SubscriptionMails } from '#shared/stores/settings/subscription-mails.ts'
import { CROSS_BORDER_PRICES } from '#shared/stores/store.ts'
import { MinOrderTotal } from '#shared/stores/view.ts'

const HOUR_SECONDS = 3600
const TEN_YEARS_SECONDS = 10 * 366 * 24 * HOUR_SECONDS

const Hint = Type.Unsafe<string | number | boolean | null>({
  type: ['string', 'number', 'boolean', 'null'],
  maxLength: 2_000,
})

const Hints = (description: string) =>
  Type.Record(Type.String({ pattern: '^.{1,50}$' }), Hint, {
    additionalProperties: false,
    maxProperties: 50,
    description: `${description}, under names of your choice; replaced as a whole`,
  })

export const UpdateSettingsRequest = Changes({
  name: Name(200),
  email: {
    ...Email,
    description:
      'Receives new questions and replies to mails, so a change needs the rights `content:read`, `customers:read` ' +
      'and `sales:read`',
  },
  languages: Type.Array(Language, { minItems: 1, maxItems: 30 }),
  default_language: Language,
  country: {
    ...Clearable(Country),
    description:
      'ISO 3166-1 alpha-2: the destination of carts without an address. Empty: they are not taxed. A change is ' +
      'refused while it would change the charges of subscriptions',
  },
  prices_include_tax: Type.Boolean({
    description:
      'Whether prices, shipping prices and amounts of coupons are entered and shown with the tax of `country`. A ' +
      'change converts no price: it changes the meaning of entered prices. Orders keep their prices. It is refused ' +
      'while subscriptions run',
  }),
  cross_border_prices: {
    ...Type.Enum([...CROSS_BORDER_PRICES]),
    description:
      'How prices that include tax change where other rates apply than in `country`. `keep_gross`: the buyer pays ' +
      'the same gross price. `keep_net`: the store gets the same net price. A change is refused while it would ' +
      'change the charges of subscriptions',
  },
  time_zone: Line(64),
  guest_checkout_enabled: Type.Boolean(),
  min_order_total: MinOrderTotal,
  stock_hold_seconds: Type.Integer({
    minimum: 1,
    maximum: TEN_YEARS_SECONDS,
    description: 'How long a checkout reserves its stock. A minute later at most, the stock is released',
  }),
  bank_transfer_hold_seconds: Type.Integer({
    minimum: HOUR_SECONDS,
    maximum: 90 * 24 * HOUR_SECONDS,
    description:
      'How long an unpaid order by bank transfer reserves its stock, coupon and voucher balance. After it, the order ' +
      'stays payable while they are available. A change applies to new orders',
  }),
  unpaid_order_seconds: Type.Integer({
    minimum: 1,
    maximum: TEN_YEARS_SECONDS,
    description: 'How long an online order can be paid. A minute later at most, an unpaid one fails',
  }),
  catalog: Hints('How a storefront shows the catalog'),
  seo: Hints('Metadata of the storefront for search engines'),
  links: Links,
  branding: Branding,
  order_mails: OrderMails,
  subscription_mails: SubscriptionMails,
})
