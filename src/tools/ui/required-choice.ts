/** Id of a choice among the options that a start needs, while it is missing. */
export const requiredChoiceId = 'required-choice'

/** Opens the group of a required choice and moves the focus there; false if none is missing. */
export function showRequiredChoice(): boolean {
  const choice = document.getElementById(requiredChoiceId)
  if (!choice) return false
  const group = choice.closest('section')?.id
  document.querySelector<HTMLElement>(`[aria-controls="${group}"][aria-pressed=false]`)?.click()
  choice.focus()
  return true
}
