import { createContext } from 'react'

/** On phones the buttons for groups of options are portalled here. */
export const OptionTabs = createContext<HTMLElement | null>(null)
