import { categories } from '#shared/catalog/taxonomy/category.ts'
import { CategoryView, viewCategory } from '#shared/catalog/taxonomy/view.ts'
import { termEndpoints } from './term-endpoints.ts'
import { categoryExample } from './term-examples.ts'
import { CreateCategoryRequest, UpdateCategoryRequest } from './term-schemas.ts'

export const [listCategories, createCategory, readCategory, updateCategory, deleteCategory] = termEndpoints({
  path: 'categories',
  audit: {
    resource: 'categories',
    create: 'postAdminCategories',
    update: 'patchAdminCategoriesCategoryId',
    delete: 'deleteAdminCategoriesCategoryId',
  },
  param: 'category_id',
  one: 'a category',
  many: 'categories',
  taxonomy: categories,
  view: viewCategory,
  returns: CategoryView,
  create: CreateCategoryRequest,
  update: UpdateCategoryRequest,
  usedBy: 'it holds categories or products',
  example: categoryExample,
})
