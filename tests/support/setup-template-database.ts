import { ensureEmbeddedTemplate } from './template-database.ts'

/**
 * Makes the template once, before any test: each worker would else begin with making one, which is
 * several seconds of work.
 */
export default async function makeTemplateDatabase(): Promise<void> {
  await ensureEmbeddedTemplate()
}
