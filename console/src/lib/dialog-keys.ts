import type { KeyboardEvent } from 'react';

/**
 * A ref for a form's main button: the dialog opens with the focus where the work is. That is the first field; without fields
 * the button itself, so that Enter confirms, or the one before it if it is dangerous.
 */
export function focusFirstField(action: HTMLButtonElement | null): void {
  const form = action?.form;
  if (!form || form.querySelector('[data-autofocus]')) return;
  const fields = [...form.querySelectorAll<HTMLInputElement>('input, textarea')];
  const isRadio = ({ type }: HTMLInputElement) => type === 'radio';
  const first = fields.find(({ type, disabled }) => type !== 'hidden' && !disabled);
  const chosen = first && isRadio(first) && fields.find((field) => isRadio(field) && field.checked);
  const button = action.dataset['danger'] ? action.previousElementSibling : action;
  (chosen || first || button)?.setAttribute('data-autofocus', 'true');
}

/** For fields of what cannot be undone: Enter does not confirm, only the button does. */
export function withoutEnter(event: KeyboardEvent): void {
  if (event.key === 'Enter') event.preventDefault();
}
