/**
 * SQL of the address of a variant's picture: one that shows it, else one that shows no variant in particular, else
 * the product's first; null without pictures. For the aliases of a variant and its product.
 */
export const variantImageSql = (variant: string, product: string) => `(
  select image ->> 'url' from jsonb_array_elements(${product}.images) image
  order by image -> 'variant_ids' @> to_jsonb(${variant}.id::text) desc,
           image -> 'variant_ids' = '[]' desc, (image ->> 'position')::integer
  limit 1)`
