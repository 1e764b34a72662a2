/** Set by public/early.js. */
declare global {
  interface Window {
    earlyButton?: HTMLButtonElement | null
  }
}

type Field = HTMLInputElement | HTMLTextAreaElement

/** As a person changes it: React does not hear of what its own property sets. */
function enter(field: Field, value: string): void {
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')?.set?.call(field, value)
  field.dispatchEvent(new Event('input', { bubbles: true }))
}

/**
 * Remembers what somebody typed, chose and pressed on the painted page before it could react;
 * returns how to repeat it once it can.
 */
export function rememberEarlyInput(root: HTMLElement): () => void {
  const fields = [...root.querySelectorAll<Field>('input, textarea')]
  const texts = fields.filter((field) => !/^(file|checkbox|radio)$/.test(field.type))
  const typed = texts.flatMap((field) => (field.value !== field.defaultValue ? [{ field, value: field.value }] : []))
  const boxes = [...root.querySelectorAll<HTMLInputElement>('input[type="checkbox"], input:checked')]
  const ticked = boxes.flatMap((field) =>
    field.checked !== field.defaultChecked ? [{ field, checked: field.checked }] : [],
  )
  return () => {
    for (const { field, checked } of ticked) if (field.checked !== checked) field.click()
    for (const { field, value } of typed) enter(field, value)
    for (const field of root.querySelectorAll<HTMLInputElement>('input[type="file"]')) {
      if (field.files?.length) field.dispatchEvent(new Event('change', { bubbles: true }))
    }
    if (window.earlyButton?.isConnected) window.earlyButton.click()
  }
}
