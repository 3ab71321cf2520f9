import { type ReactNode, useId, useRef } from 'react';

type ConfirmButtonProps = Readonly<{
  label: string;
  title: string;
  /** The label of the button that confirms. */
  confirm: string;
  /** The label of the button that closes the dialog. */
  close: string;
  isDangerous?: boolean;
  disabled: boolean;
  onConfirm: () => void;
  /** The consequences, and further fields. */
  children: ReactNode;
}>;

/** A button whose action needs a confirmation in a dialog. The button that confirms comes last, so that it never has the focus at first. */
export function ConfirmButton(props: ConfirmButtonProps) {
  const { label, title, isDangerous = false, disabled, children } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  const look = isDangerous ? 'danger' : 'primary';
  return (
    <>
      <button
        type="button"
        className={look}
        ref={focusMainAfter}
        // A disabled button would lose the focus while its action is pending.
        aria-disabled={disabled}
        onClick={() => {
          if (!disabled) dialog.current?.showModal();
        }}
      >
        {label}
      </button>
      <dialog ref={dialog} aria-labelledby={id}>
        <h2 id={id}>{title}</h2>
        <div className="act">
          {children}
          <div className="acts">
            <button type="button" onClick={() => dialog.current?.close()}>
              {props.close}
            </button>
            <button
              type="button"
              className={look}
              onClick={() => {
                dialog.current?.close();
                props.onConfirm();
              }}
            >
              {props.confirm}
            </button>
          </div>
        </div>
      </dialog>
    </>
  );
}

/** If a focused button disappears, because its action has succeeded, the focus moves to the content of the page. */
function focusMainAfter(button: HTMLButtonElement): () => void {
  return () => {
    if (document.activeElement === button) document.getElementById('main')?.focus();
  };
}
