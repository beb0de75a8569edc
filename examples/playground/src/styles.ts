import '../../ui/tokens.css';
import '../../ui/components.css';
import './styles/frame.css';
