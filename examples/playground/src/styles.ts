import '../../ui/tokens.css';
import '../../ui/base.css';
import '../../ui/components.css';
import './styles/frame.css';
