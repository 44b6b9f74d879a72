import { defineErrors } from '#shared/platform/errors.ts'

export const ShippingMethodErrors = defineErrors({
  codeTaken: {
    code: 'shipping_method.code_taken',
    status: 409,
    message: 'Another shipping method of this store has this code. Choose another.',
  },
  limitReached: {
    code: 'shipping_method.limit_reached',
    status: 409,
    message: 'A store has at most 500 shipping methods. Delete one first.',
  },
  unavailable: {
    code: 'checkout.shipping_unavailable',
    status: 422,
    message: ({ storeHasNone }: { storeHasNone?: true }) =>
      storeHasNone
        ? 'This store has no active shipping method yet, so it cannot ship goods. Staff create one with POST ' +
          '/admin/shipping-methods.'
        : 'This shipping method does not deliver to the address or cannot carry the cart. See GET ' +
          '/cart/shipping-methods.',
  },
})
