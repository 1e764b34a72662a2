import { ensureEmbeddedTemplate } from './template-database.ts'

/** Otherwise each worker would begin with making a template, which takes seconds. */
export default async function makeTemplateDatabase(): Promise<void> {
  await ensureEmbeddedTemplate()
}
