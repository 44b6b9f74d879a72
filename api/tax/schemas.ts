import { Type } from 'typebox'
import { listQuery } from '#api/platform/input/list-query.ts'
import { Changes, Line, Shape, Uuid } from '#shared/platform/http/schema.ts'
import { TAX_RATES } from '#shared/tax/rates/list-tax-rates.ts'
import { TaxRateView } from '#shared/tax/view.ts'

const Name = Line(200)
const Description = Type.String({ maxLength: 2_000 })

export const TaxParams = Shape({ id: Uuid })

const classFields = {
  description: Type.Optional(Description),
  is_default: Type.Optional(
    Type.Boolean({
      description:
        'Applies to products and shipping methods without a tax class; replaces the previous default',
    }),
  ),
}

export const CreateTaxClassRequest = Shape({ name: Name, ...classFields })

export const UpdateTaxClassRequest = Changes(CreateTaxClassRequest.properties)

export const TaxRatesQuery = listQuery(TAX_RATES)

const Percent = { ...TaxRateView.properties.percent, minimum: 0, maximum: 1_000 }

const rateFields = {
  geo_zone_id: Type.Optional(TaxRateView.properties.geo_zone_id),
  priority: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 1_000,
      description:
        'Of the rates of a class with one priority, one applies: the one with the closest geo zone (postcode, zone, ' +
        'country, everywhere). Of equally close rates, the oldest applies. Rates of different priorities add up. A ' +
        'class has rates of at most ten priorities',
    }),
  ),
  is_compound: Type.Optional(
    Type.Boolean({
      description: 'Whether it is charged on the amount plus the taxes of lower priorities',
    }),
  ),
}

export const CreateTaxRateRequest = Shape({ name: Name, percent: Percent, tax_class_id: Uuid, ...rateFields })

export const UpdateTaxRateRequest = Changes(CreateTaxRateRequest.properties)
