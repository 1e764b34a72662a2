import { lazyComponent } from '#client/lazy.ts'

/** Loads on demand, since the form library is the largest part of most screens. */
export const FormDialog = lazyComponent(
  () => import('./form-dialog-content.tsx'),
  'FormDialog',
  null,
) as unknown as typeof import('./form-dialog-content.tsx').FormDialog
