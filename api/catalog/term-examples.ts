const ID = '0199b1c2-7a10-7c3e-8f21-5b8de0a4d001'
const OTHER_ID = '0199b1c2-7a10-7c3e-8f21-5b8de0a4d002'
const dated = { created_at: '2026-10-11T09:30:00.000Z', updated_at: '2026-10-11T09:30:00.000Z' }

/** Returns the example of a term with names by language. */
export const namedExample = (name_i18n: Record<string, string>) => {
  const body = { name_i18n, position: 1 }
  return { body, data: { id: ID, ...body, ...dated } }
}

const attribute = { group_id: OTHER_ID, name_i18n: { en: 'Material', de: 'Material' }, position: 1 }
export const attributeExample = { body: attribute, data: { id: ID, ...attribute, ...dated } }

export const manufacturerExample = {
  body: { name: 'Fjord & Fen' },
  data: { id: ID, name: 'Fjord & Fen', ...dated },
}

const category = { parent_id: OTHER_ID, name_i18n: { en: 'Rain coats', de: 'Regenmäntel' }, position: 2 }
export const categoryExample = {
  body: category,
  data: { id: ID, slug: 'rain-coats', description_i18n: {}, is_active: true, ...category, ...dated },
}
