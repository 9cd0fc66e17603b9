// A pane that fails takes nothing else with it, and can be tried again.
import { Component, type ReactNode } from "react";
import { Button } from "#renderer/ui/button.tsx";

type Props = { readonly title: string; readonly retry: string; readonly children: ReactNode };
type State = { readonly failed: string | undefined };

export class ErrorBoundary extends Component<Props, State> {
  override readonly state: State = { failed: undefined };

  static getDerivedStateFromError(error: unknown): State {
    return { failed: error instanceof Error ? error.message : String(error) };
  }

  override render(): ReactNode {
    if (this.state.failed === undefined) return this.props.children;
    return (
      <div role="alert" className="m-auto grid max-w-[420px] justify-items-start gap-2 p-6" data-testid="pane-failed">
        <strong className="font-strong">{this.props.title}</strong>
        <p className="selectable font-mono text-small text-ink-2 [overflow-wrap:anywhere]">{this.state.failed}</p>
        <Button onClick={() => this.setState({ failed: undefined })}>{this.props.retry}</Button>
      </div>
    );
  }
}
